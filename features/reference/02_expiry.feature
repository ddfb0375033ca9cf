Feature: How what is held ends
  Rules of the reference server, judged in virtual time: every deadline is an instant.

  @REF-PURG-01 @wait:91m
  Scenario: a held announcement loses its repository after half an hour and stays known
    Given the owner announced the repository
    When a moment less than 30 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there
    And the announcement is not served
    When another 60 minutes pass
    And the owner sends the announcement again
    Then the event is known already
    And the owner's repository is not there

  @REF-PURG-01.push @wait:31m
  Scenario: nothing can be pushed to an announcement that is only known
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When 30 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the owner's repository is not there
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @REF-PURG-01.again @wait:61m
  Scenario: a repository goes again after another half hour
    Given the owner announced the repository
    And 30 minutes pass
    And the owner published the state:
      | refs/heads/main | first |
    When a moment less than 30 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there

  @REF-PURG-02 @wait:1471m
  Scenario: an announcement that nothing revives is forgotten after another day
    Given the owner announced the repository
    And 30 minutes pass
    When a moment less than 24 hours pass
    And the owner sends the announcement again
    Then the event is known already
    When that moment passes
    And the owner publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    When the owner announces the repository
    Then the event is accepted, waiting for git data
    And the same state by the owner is accepted

  @REF-PURG-02.state @wait:1471m
  Scenario: up to that day a state is taken
    Given the owner announced the repository
    And 30 minutes pass
    When a moment less than 24 hours pass
    And the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And the repository answers git and is empty

  @REF-PURG-03 @wait:91m
  Scenario: a state brings a known announcement its repository and exactly half an hour
    Given the owner announced the repository
    And 60 minutes pass
    And the owner's repository is not there
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And the repository answers git and is empty
    When a moment less than 30 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there

  @REF-PURG-03.push @wait:61m
  Scenario: a revived announcement is released like any other
    Given the owner announced the repository
    And 60 minutes pass
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-03.maintainer @wait:61m
  Scenario: the state of a maintainer revives
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And 60 minutes pass
    When the maintainer publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And the repository answers git and is empty

  @REF-PURG-04.state @wait:60m
  Scenario: a state gives a held announcement half an hour anew
    Given the owner announced the repository
    And 29 minutes pass
    And the owner published the state:
      | refs/heads/main | first |
    When a moment less than 30 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there

  @REF-PURG-04.replacement @wait:60m
  Scenario: a newer announcement has half an hour of its own
    Given the owner announced the repository
    And 29 minutes pass
    And the owner announced the repository
    When a moment less than 30 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there

  @REF-PURG-04.push @wait:60m
  Scenario: an authorized push gives its state and the announcement half an hour anew
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 29 minutes pass
    When a client pushes with a truncated pack:
      | refs/heads/main | first |
    Then the push is accepted or refused
    When a moment less than 30 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-04.push-end @wait:60m
  Scenario: half an hour after an authorized push that failed both are over
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 29 minutes pass
    When a client pushes with a truncated pack:
      | refs/heads/main | first |
    And 30 minutes pass
    Then the owner's repository is not there
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @REF-PURG-05 @wait:31m
  Scenario Outline: a held announcement gains nothing from <what>
    Given the owner announced the repository
    And 29 minutes pass
    When <what> comes
    And a moment less than 1 minutes pass
    Then the repository answers git and is empty
    When that moment passes
    Then the owner's repository is not there

    Examples:
      | id        | what                                       |
      | again     | the same announcement                      |
      | older     | an older announcement                      |
      | stranger  | the state of a stranger                    |
      | push      | a push that no state authorizes            |
      | nostr-ref | a push to the ref of an unknown event     |

  @REF-PURG-05.soft @wait:61m
  Scenario Outline: an announcement without a repository is not revived by <what>
    Given the owner announced the repository
    And 30 minutes pass
    When <what> comes
    Then the owner's repository is not there

    Examples:
      | id        | what                                       |
      | again     | the same announcement                      |
      | older     | an older announcement                      |
      | stranger  | the state of a stranger                    |
      | push      | a push that no state authorizes            |
      | nostr-ref | a push to the ref of an unknown event     |

  @REF-PURG-05.state @wait:31m
  Scenario: a held state gains nothing from coming again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And 29 minutes pass
    When the owner sends the state again
    Then the event is answered without a failure
    When 1 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @REF-PURG-05.newer-state @wait:31m
  Scenario: a held state gains nothing from a newer one
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state "old" dated 100:
      | refs/heads/main | second |
    And 29 minutes pass
    And the owner published the state "new" dated 200:
      | refs/heads/main | side |
    And 1 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | side |

  @REF-PURG-06 @wait:31m
  Scenario: a moment before its deadline an announcement is released
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a moment less than 30 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-06.state-before @wait:31m
  Scenario: a moment before its deadline a state authorizes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a moment less than 30 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @REF-PURG-06.state-at @wait:31m
  Scenario: at its deadline a state authorizes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 30 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @REF-PURG-07 @wait:31m @needs:stall
  Scenario: a push that ends after the deadline releases what it began with
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 29 minutes pass
    When a client pushes and takes 45 minutes for it:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-07.state @wait:31m @needs:stall
  Scenario: a state stays until the push that it authorized has ended
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And 29 minutes pass
    When a client pushes and takes 45 minutes for it:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served
    And the repository still has exactly:
      | refs/heads/main | second |

  @REF-PURG-07.failed @wait:31m @needs:stall
  Scenario: what a failed push has kept ends with it
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes half a pack and takes 45 minutes for it:
      | refs/heads/main | first |
    Then the push is accepted or refused
    And the owner's repository is not there
    And the announcement is not served

  @REF-PURG-08 @wait:31m
  Scenario: a state that has run out is not known any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 30 minutes pass
    And the owner sends the state again
    Then the event is accepted, waiting for git data

  @REF-PURG-08.pull-request @wait:31m
  Scenario: a pull request that has run out is not released any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    When 30 minutes pass
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is not served

  @REF-PURG-08.pull-request-before @wait:31m
  Scenario: a moment before its deadline a pull request is released
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    When a moment less than 30 minutes pass
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @REF-PURG-08.ref @wait:21m
  Scenario: a ref without its event goes after twenty minutes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When a moment less than 20 minutes pass
    Then the pull request has its ref at the commit side
    When that moment passes
    Then the pull request has no ref
    When the contributor publishes the pull request
    Then the event is accepted

  @REF-PURG-09 @wait:31m
  Scenario Outline: a user may send a <event> again that has run out, and it is held anew
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor published a pull request of the commit side
    When 30 minutes pass
    And the <actor> sends the <event> again
    Then the event is accepted, waiting for git data

    Examples:
      | id           | actor       | event        |
      | state        | owner       | state        |
      | pull-request | contributor | pull request |

  @REF-PURG-09.peer @wait:33m @needs:reachback
  Scenario: a state that has run out and comes from another relay is not held anew
    Given there is another relay
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And 31 minutes pass
    When the other relay gets the state as well
    And 60 seconds pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @REF-PURG-09.announcement @wait:1471m
  Scenario: a user may send an announcement again that is forgotten, and it is held anew
    Given the owner announced the repository
    And 30 minutes pass
    And 24 hours pass
    When the owner sends the announcement again
    Then the event is accepted, waiting for git data
    And the repository answers git and is empty
