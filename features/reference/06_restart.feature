Feature: Restarts of the reference
  An orderly stop and start is invisible but for the time that passes, and a crash loses nothing that was acknowledged.

  @REF-PURG-11 @serial @needs:restart
  Scenario: a held announcement and its state come back from a restart
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the server restarts
    Then the repository answers git and is empty
    And the announcement is not served
    And the state is not served
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-11.served @serial @needs:restart
  Scenario: what is served comes back from a restart
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the server restarts
    Then the announcement is served
    And the state is served
    And the repository still has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @REF-PURG-11.soft @serial @wait:32m @needs:clock @needs:restart
  Scenario: an announcement that has lost its repository is known after a restart
    Given the owner announced the repository
    And 32 minutes pass
    When the server restarts
    Then the owner's repository is not there
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the announcement is served

  @REF-PURG-11.pull @serial @needs:restart
  Scenario: a held pull request comes back from a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the event is accepted, waiting for git data
    When the server restarts
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @REF-PURG-11.placeholder @serial @needs:restart
  Scenario: the ref of a pull request that is not published yet is there after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the server restarts
    Then the pull request has its ref at the commit side
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served
    And the pull request has its ref at the commit side

  @REF-PURG-11.deleted @serial @needs:restart
  Scenario: what was deleted while it waited stays deleted after a restart
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the owner's request to delete the state is taken
    When the server restarts
    And the owner sends the state again
    Then the event is refused
    And a client pushes:
      | refs/heads/main | first |
    And the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @REF-PURG-12 @serial @wait:31m @needs:clock @needs:restart
  Scenario: the time for which the server was down counts
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 20 minutes pass
    When the server is down for 5 minutes
    And another 4 minutes pass
    Then the repository answers git and is empty
    When another 2 minutes pass
    Then the owner's repository is not there
    And a client pushes:
      | refs/heads/main | first |
    And the push is refused
    But the same push is accepted once the owner announced the repository and published the state:
      | refs/heads/main | first |

  @REF-PURG-12.whole @serial @wait:31m @needs:clock @needs:restart
  Scenario: a restart shortens no life
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 20 minutes pass
    When the server is down for 5 minutes
    And another 4 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-12.soft @serial @wait:40m @needs:clock @needs:restart
  Scenario: an announcement whose half hour ends while the server is down loses its repository and is known
    Given the owner announced the repository
    When the server is down for 40 minutes
    Then the owner's repository is not there
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And the repository answers git and is empty

  @REF-PURG-12.forgotten @serial @wait:1480m @needs:clock @needs:restart
  Scenario: an announcement whose second life ends while the server is down is forgotten
    Given the owner announced the repository
    When the server is down for 1480 minutes
    And the owner publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    When the owner announces the repository
    Then the event is accepted, waiting for git data

  @REF-PURG-12.placeholder @serial @wait:21m @needs:clock @needs:restart
  Scenario: the time of a ref that waits for its pull request goes on while the server is down
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    And 10 minutes pass
    When the server is down for 5 minutes
    And another 4 minutes pass
    Then the pull request has its ref at the commit side
    When another 2 minutes pass
    Then the pull request has no ref

  @REF-PURG-14 @serial @needs:restart
  Scenario: what is held outlives a start that fails
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the server restarts after a start that fails
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-14.placeholder @serial @needs:restart
  Scenario: a ref that waits for its pull request outlives a start that fails
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the server restarts after a start that fails
    Then the pull request has its ref at the commit side
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served

  @REF-PURG-15 @serial @needs:kill
  Scenario: a crash loses no held event that was acknowledged
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the server crashes
    Then the repository answers git and is empty
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the announcement is served
    And the state is served

  @REF-PURG-15.served @serial @needs:kill
  Scenario: a crash loses no ref that was reported and no event that was released
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    And a client pushed:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the server crashes
    Then the repository has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    And the announcement is served
    And the state is served

  @REF-PURG-15.issue @serial @needs:kill
  Scenario: a crash loses no event that was stored at once
    Given the contributor posted the issue
    When the server crashes
    Then the issue is served

  @REF-PURG-15.pull @serial @needs:kill
  Scenario: a crash loses no held pull request
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the event is accepted, waiting for git data
    When the server crashes
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @REF-PURG-15.placeholder @serial @needs:kill
  Scenario: a crash loses no ref that waits for its pull request
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the server crashes
    Then the pull request has its ref at the commit side
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served

  @REF-PURG-15.deleted @serial @needs:kill
  Scenario: a crash brings nothing back that was deleted
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the owner's request to delete the state is taken
    When the server crashes
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @REF-PURG-15.soft @serial @wait:32m @needs:clock @needs:kill
  Scenario: a crash gives an announcement no time that it has had
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 20 minutes pass
    When the server crashes
    And another 12 minutes pass
    Then the owner's repository is not there
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data

  @REF-PURG-16 @serial @needs:kill
  Scenario: a crash between moved refs and released events heals at the start
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the server will crash as soon as a push has moved its refs
    When a client pushes:
      | refs/heads/main | first |
    Then the announcement is served
    And the state is served
    And the repository still has exactly:
      | refs/heads/main | first |

  @REF-PURG-16.pull @serial @needs:kill
  Scenario: a crash between the ref of a pull request and its release heals at the start
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the event is accepted, waiting for git data
    And the server will crash as soon as a push has moved its refs
    When a client pushes the commit side for the pull request
    Then the pull request is served
    And the pull request has its ref at the commit side
