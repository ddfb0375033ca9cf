Feature: Maintainer sets
  Authority over a repository follows from its owner's announcement to those of the maintainers it names.

  @G01-MNT-01
  Scenario: a maintainer's maintainer has authority
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |

  @G01-MNT-01.cycle
  Scenario: maintainers that name each other and themselves do no harm
    Given the owner announced the repository naming the owner and the maintainer
    And the maintainer announced the repository naming the owner and the maintainer
    And the maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |

  @G01-MNT-01.triangle
  Scenario: three who name each other in a circle and back have authority, the last one too
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer and the owner
    When the second maintainer publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-01.third
  Scenario: the last of several maintainers has authority like the first
    Given the maintainer announced the repository naming the owner
    And the second maintainer announced the repository naming the owner
    And the contributor announced the repository naming the owner
    And the owner announced the repository naming the maintainer and the second maintainer and the contributor
    When the contributor publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-03
  Scenario: a stranger's state is refused and moves nothing
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the stranger publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    And the state is not served
    And the repository still has exactly:
      | refs/heads/main | second |
    But the same state by the owner is accepted

  @G01-MNT-03.people
  Scenario Outline: whom an announcement names <how> is no maintainer
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the owner publishes an event of kind 30617 with the tags:
      | ["d","{identifier}"]                  |
      | ["clone","{own clone}"]               |
      | ["relays","{own relay}"]              |
      | ["<tag>","{stranger}"<more>]          |
    Then the event is accepted
    When the stranger publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    And the state is not served
    And the repository still has exactly:
      | refs/heads/main | second |
    But the same state by the owner is accepted

    Examples:
      | id       | how                       | tag         | more           |
      | tagged   | by p                      | p           |                |
      | role     | by p as one               | p           | ,"","maintainer" |
      | singular | by maintainer             | maintainer  |                |
      | author   | as an author              | author      |                |

  @G01-MNT-04
  Scenario: the owner has no authority over a maintainer's repository that does not name the owner
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes to the maintainer's repository:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the maintainer published the state:
      | refs/heads/main | first |

  @G01-MNT-08
  Scenario: naming the owner as one's maintainer gives no authority over the owner's repository
    Given the owner announced the repository
    And the stranger announced the repository naming the owner
    And the stranger published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @G01-MNT-01.older
  Scenario: a chain of maintainers goes through announcements that are older than those that name their authors
    Given the second maintainer announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the owner announced the repository naming the maintainer
    When the second maintainer publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-01.unnamed
  Scenario: an owner who is not on the list of maintainers has authority all the same
    Given the maintainer announced the repository naming the owner
    And the owner announced the repository naming the maintainer
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-09
  Scenario: malformed maintainer values are ignored
    Given the maintainer announced the repository naming the owner
    When the owner announces the repository with:
      | maintainers | {stranger npub}, 1234, {STRANGER}, {maintainer}, {maintainer} |
    Then the event is accepted
    And the maintainer published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds

  @G01-MNT-02
  Scenario: a listed maintainer has authority without an announcement
    Given the owner announced the repository naming the maintainer
    When the maintainer publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |

  @G01-MNT-05
  Scenario: a maintainer who is not named any more has no authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the owner announced the repository
    And the maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-MNT-05.named
  Scenario: a maintainer who is named later gains authority
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the owner announced the repository naming the maintainer
    And the maintainer published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-MNT-05.unlisted
  Scenario: who is no maintainer any more because nobody is named has no authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    When the owner announces the repository with:
      | maintainers | (none) |
    Then the event is accepted
    And the maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-MNT-05.swapped
  Scenario: of maintainers of whom one is named in the place of another the named one alone has authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the second maintainer announced the repository naming the owner
    When the owner announces the repository with:
      | maintainers | {second maintainer} |
    Then the event is accepted
    And the maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the second maintainer published the state:
      | refs/heads/main | second |

  @G01-MNT-05.back
  Scenario: a maintainer who is named again after a time has authority again
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the owner announced the repository
    And the maintainer sent the state "between":
      | refs/heads/main | second |
    When the owner announces the repository with:
      | maintainers | {maintainer} |
    Then the event is accepted
    And the maintainer published the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | third |

  @G01-MNT-05.before
  Scenario: what a maintainer has declared before he was named counts from then on
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    And a client pushed to the maintainer's repository:
      | refs/heads/main | second |
    When the owner announces the repository with:
      | maintainers | {maintainer} |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-MNT-05.deleted
  Scenario: who is named by a deleted announcement alone has no authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer's repository is served, naming the owner and the second maintainer, with:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the maintainer's request to delete the announcement is taken
    And the second maintainer sent the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-MNT-05.dropped
  Scenario: whom a maintainer does not name any more has no authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer's repository is served, naming the owner and the second maintainer, with:
      | refs/heads/main | second |
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | side |
    And a client brought what was missing of:
      | refs/heads/main | side |
    When the maintainer announces the repository with:
      | maintainers | {owner} |
    Then the event is accepted
    And the second maintainer sent the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-MNT-05.middle
  Scenario: whom a maintainer alone has named has no authority when that one is not named any more
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the owner announced the repository
    And the second maintainer sent the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-MNT-05.both
  Scenario: whom two maintainers name keeps authority when one of the two is not named any more
    Given the owner's repository is served, naming the maintainer and the second maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner and the contributor
    And the second maintainer announced the repository naming the owner and the contributor
    And the contributor announced the repository naming the maintainer and the second maintainer
    When the owner announces the repository with:
      | maintainers | {second maintainer} |
    Then the event is accepted
    When the contributor publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | second |

  @G01-MNT-05.added
  Scenario: whom a maintainer names later has authority from then on
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the second maintainer announced the repository naming the maintainer
    When the maintainer announces the repository with:
      | maintainers | {owner}, {second maintainer} |
    Then the event is accepted
    When the second maintainer publishes the state:
      | refs/heads/main | third |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | third |

  @G01-MNT-05.vanished @needs:nip=62
  Scenario: who is named by somebody alone who has vanished has no authority
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer's repository is served, naming the owner and the second maintainer, with:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the maintainer vanished from this relay
    And the second maintainer sent the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-MNT-05.held
  Scenario: a state that waits authorizes nothing once its author is not named any more
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    When the owner announces the repository
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-MNT-06
  Scenario: what a listed maintainer may do before linking back is recorded
    Given the owner announced the repository naming the maintainer
    When the maintainer sends the state:
      | refs/heads/main | side |
    Then the answer to the event is recorded
    And a client pushes:
      | refs/heads/main | side |
    And the push is accepted or refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | side |

  @G01-MNT-03.one-sided @needs:two-sided
  Scenario: where maintainers have to list back, one who does not is a stranger
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the stranger
    And the owner published the state dated 100:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the maintainer sent the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the maintainer announced the repository naming the owner
    And the same push is accepted once the maintainer published the state dated 300:
      | refs/heads/main | second |

  @G01-MNT-03.invited @needs:two-sided
  Scenario: where maintainers have to list back, one without an announcement is a stranger
    Given the owner announced the repository naming the maintainer
    And the maintainer sent the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the maintainer announced the repository naming the owner
    And the same push is accepted once the maintainer published the state dated 300:
      | refs/heads/main | second |

  @G01-MNT-03.chain @needs:two-sided
  Scenario: where maintainers have to list back, a maintainer's maintainer has to list the maintainer
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the owner
    And the second maintainer sent the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the second maintainer announced the repository naming the maintainer
    And the same push is accepted once the second maintainer published the state dated 300:
      | refs/heads/main | second |

  @G01-MNT-10
  Scenario: authority reaches down a chain of four levels
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer and the stranger
    And the stranger announced the repository naming the second maintainer and the contributor
    And the contributor announced the repository naming the stranger
    And the contributor published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-10.same
  Scenario: keys that a maintainer lists again take no place from those behind them
    Given the owner announced the repository with:
      | maintainers | {owner}, {200 keys}, {maintainer} |
    And the maintainer announced the repository with:
      | maintainers | {owner}, {200 keys}, {second maintainer} |
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-MNT-10.wide
  Scenario: a maintainer set of two hundred keys works, and goes on behind them
    Given the owner announced the repository with:
      | maintainers | {owner}, {200 keys}, {maintainer} |
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-ANN-14.joined
  Scenario: a maintainer whose announcement did not list this service gets a repository here by one that does
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}                                             |
    And the maintainer announced the repository naming the owner
    When the maintainer publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes to the maintainer's repository:
      | refs/heads/main | second |
    Then the push succeeds
    And the announcement is served
