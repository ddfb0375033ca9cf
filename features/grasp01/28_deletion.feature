Feature: Deletion of repositories
  Authors can take back announcements, states and pull requests, whether they wait or are served.

  @G01-DEL-01
  Scenario: a held state that was deleted by id authorizes no push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the owner asks to delete the state by id
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-DEL-01.behind
  Scenario: a held state that was deleted behind the back of a client authorizes no push of that client
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client asks for the refs, and pushes when the owner has asked to delete the state:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-DEL-01.before @needs:held=30618
  Scenario: with the newest state deleted while it waited, a maintainer's before it authorizes
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state "before" dated 200:
      | refs/heads/main | second |
    And the owner published the state "newest" dated 300:
      | refs/heads/main | third |
    And the owner's request to delete the state "newest" is taken
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state "before" is served

  @G01-DEL-01.served @needs:held=30618
  Scenario: a served state stays when a newer one is deleted that waits
    Given the owner announced the repository
    And the owner published the state "served" dated 200:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the owner published the state "newer" dated 300:
      | refs/heads/main | second |
    And the state "served" is served
    When the owner's request to delete the state "newer" is taken
    Then the state "served" is still served

  @G01-DEL-01.halfway
  Scenario: a state that is deleted while a push of it is under way is not served by that push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the state:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the state is not served any more

  @G01-DEL-02
  Scenario: a held state that was deleted by address authorizes no push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state dated 200:
      | refs/heads/main | second |
    When the owner asks to delete the state by address dated 300
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state is not served
    But the same push is accepted once the owner published the state dated 400:
      | refs/heads/main | second |

  @G01-DEL-02.second
  Scenario: a deletion by address covers a held state of its very second
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state dated 200:
      | refs/heads/main | second |
    When the owner asks to delete the state by address dated 200
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state is not served
    But the same push is accepted once the owner published the state dated 400:
      | refs/heads/main | second |

  @G01-DEL-02.halfway
  Scenario: a state that is deleted by address while a push of it is under way is not served by that push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the state by address:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the state is not served any more

  @G01-DEL-02.younger
  Scenario: a deletion by address spares a held state that is newer than it
    Given the owner announced the repository
    And the owner published the state dated 300:
      | refs/heads/main | first |
    When the owner asks to delete the state by address dated 200
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @G01-DEL-02.mixed
  Scenario: a deletion by address of what is served spares a newer state that waits
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state dated 300:
      | refs/heads/main | second |
    When the owner asks to delete the state by address dated 200
    And a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-DEL-03
  Scenario Outline: the repository of a held announcement that was deleted by <way> is gone
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner asks to delete the announcement by <way>
    Then the owner's repository is gone within 10 seconds
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the announcement is not served
    But the same push is accepted once the owner announced the repository and published the state:
      | refs/heads/main | first |

    Examples:
      | id      | way     |
      | id      | id      |
      | address | address |

  @G01-DEL-03.halfway
  Scenario: an announcement that is deleted while a push to its repository is under way is not served by that push
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the announcement:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the announcement is not served any more
    And the owner's repository is gone within 10 seconds

  @G01-DEL-03.halfway-address
  Scenario: an announcement that is deleted by address while a push to its repository is under way is not served by that push
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the announcement by address:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the announcement is not served any more
    And the owner's repository is gone within 10 seconds

  @G01-DEL-04
  Scenario: a held pull request that was deleted is not released by its commit
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    When the contributor asks to delete the pull request by id
    And a client pushes the commit second for the pull request
    Then the pull request is not served
    But the same pull request of the commit second that nobody deleted is released by such a push

  @G01-DEL-04.update
  Scenario: a held update that was deleted is not released by its commit
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published an update of the commit second
    When the contributor asks to delete the update by id
    And a client pushes the commit second for the update
    Then the update is not served
    But the same pull request of the commit second that nobody deleted is released by such a push

  @G01-DEL-04.halfway
  Scenario: a pull request that is deleted while its commit is pushed is not served by that
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit large
    When a client pushes, and halfway the contributor asks to delete the pull request:
      | refs/nostr/{pull request} | large |
    Then the push is accepted or refused
    And the pull request is not served any more

  @G01-DEL-05
  Scenario Outline: a stranger's request to delete <what> by <way> removes nothing that is held
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the stranger asks to delete the <what> by <way>
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

    Examples:
      | id                   | what         | way     |
      | announcement-id      | announcement | id      |
      | announcement-address | announcement | address |
      | state-id             | state        | id      |
      | state-address        | state        | address |

  @G01-DEL-05.pull
  Scenario: a stranger's request to delete a held pull request removes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    When the stranger asks to delete the pull request by id
    And a client pushes the commit second for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-DEL-05.mixed
  Scenario Outline: a request for <list> by <way> takes nothing that somebody else has held
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger published an article "own" dated 5
    When the stranger asks in one request to delete <list> by <way>
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

    Examples:
      | id                   | way     | list                                |
      | announcement         | id      | the event "own" and the announcement |
      | announcement-first   | id      | the announcement and the event "own" |
      | announcement-address | address | the event "own" and the announcement |
      | state                | id      | the event "own" and the state        |
      | state-first          | id      | the state and the event "own"        |
      | state-address        | address | the event "own" and the state        |

  @G01-DEL-05.namesake
  Scenario: deleting an announcement takes no state with it that somebody else's repository is for
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger announced the repository
    When the stranger asks to delete the announcement by id
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @G01-DEL-06
  Scenario Outline: an announcement that was deleted by <way> is not served any more, and neither is its repository
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer is a smart HTTP advertisement
    When the owner asks to delete the announcement by <way>
    Then the announcement is not served any more
    And the owner's repository is gone within 10 seconds

    Examples:
      | id      | way     |
      | id      | id      |
      | address | address |

  @N09-03.namesake
  Scenario: a deletion of an announcement leaves somebody else's of the same identifier alone
    Given the stranger's repository "theirs" is called {identifier}
    And the stranger's repository "theirs" is served with:
      | refs/heads/main | first |
    And the owner's repository is served with:
      | refs/heads/main | second |
    When the owner asks to delete the announcement by address
    Then the announcement "theirs" is still served
    And the stranger's repository "theirs" still has exactly:
      | refs/heads/main | first |
    But the same request by the owner takes effect, or none does here

  @N09-02.early
  Scenario Outline: a request to delete <what> by address that is dated before that leaves the repository at work
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to delete the <what> by address dated 0
    Then the <what> is still served
    And the repository still has exactly:
      | refs/heads/main | first |
    And the commit first can be fetched from the owner's repository
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

    Examples:
      | id           | what         |
      | announcement | announcement |
      | state        | state        |

  @N09-02.early-next
  Scenario Outline: a request to delete <what> by address that is dated before that leaves a push to come authorized
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the owner asks to delete the <what> by address dated 0
    And a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the announcement is still served
    And the state is served

    Examples:
      | id           | what         |
      | announcement | announcement |
      | state        | state        |

  @N09-02.early-held
  Scenario Outline: a request to delete <what> by address that is dated before that leaves a repository that waits
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner asks to delete the <what> by address dated 0
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served
    And the commit first can be fetched from the owner's repository

    Examples:
      | id           | what         |
      | announcement | announcement |
      | state        | state        |

  @N09-02.former
  Scenario Outline: a request to delete a former <what> by id leaves the repository at work
    Given the owner's announcement "older" dated 100 and then "newer" dated 200 arrive
    And the owner published the state "older" dated 210:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the owner published the state "newer" dated 220:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    And the owner published the state "next" dated 230:
      | refs/heads/main | third |
    When the owner asks to delete the <what> "older" by id dated 300
    Then the repository still has exactly:
      | refs/heads/main | second |
    And the commit second can be fetched from the owner's repository
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the announcement "newer" is still served
    And the state "next" is served

    Examples:
      | id           | what         |
      | announcement | announcement |
      | state        | state        |

  @N09-02.sent-again
  Scenario Outline: a request to delete by <way> that is sent again leaves the repository at work that was announced anew
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to delete the announcement by <way>
    Then the announcement is not served any more
    When the owner announces the repository
    Then the event is accepted
    When the owner publishes the state "back":
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the announcement is served
    When the owner sends the event "request" again
    Then the event is answered without a failure
    And the announcement is still served
    And the state "back" is still served
    And the repository still has exactly:
      | refs/heads/main | second |
    When the owner publishes the state "next":
      | refs/heads/main | third |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "next" is served

    Examples:
      | id      | way     |
      | id      | id      |
      | address | address |

  @N09-03.git
  Scenario Outline: a stranger's request to delete <what> by <way> leaves the repository at work
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the stranger asks to delete the <what> by <way>
    Then the <what> is still served
    And the repository still has exactly:
      | refs/heads/main | first |
    And the commit first can be fetched from the owner's repository
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

    Examples:
      | id           | what         | way     |
      | announcement | announcement | id      |
      | address      | announcement | address |
      | state        | state        | id      |
      | states       | state        | address |

  # Objects that one repository has from another one are its own.
  @G01-GIT-01.shared
  Scenario: a repository stays whole when a namesake is deleted that had its commits before
    Given the owner announced the repository
    And the owner published the state "own":
      | refs/heads/main | second |
    And the stranger's repository "theirs" is called {identifier}
    And the stranger's repository "theirs" is served with:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the state "own" is served
    And the stranger's request to delete the announcement "theirs" is taken
    And the stranger's repository went with it
    Then the repository still has exactly:
      | refs/heads/main | second |
    And the commit second can be fetched from the owner's repository
    When the owner publishes the state "next":
      | refs/heads/main | third |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "next" is served
    And the commit third can be fetched from the owner's repository

  @G01-GIT-01.maintained
  Scenario: a repository stays whole when that of its maintainer is deleted to which its commits were pushed
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state "first":
      | refs/heads/main | second |
    And a client pushed to the maintainer's repository:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the state "first" is served
    And the maintainer's request to delete the announcement is taken
    And the maintainer's repository went with it
    Then the repository still has exactly:
      | refs/heads/main | second |
    And the commit second can be fetched from the owner's repository
    When the owner publishes the state "next":
      | refs/heads/main | third |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "next" is served
    And the commit third can be fetched from the owner's repository

  @G01-DEL-06.refs
  Scenario: the refs of a repository whose announcement was deleted are neither lost nor moved
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner asks to delete the announcement by id
    Then if the repository still answers, it has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner announces the repository
    Then if the repository still answers, it has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @G01-DEL-06.halfway
  Scenario: a served announcement that is deleted while a push to its repository is under way is not served any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the announcement:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the announcement is not served any more
    And the owner's repository is gone within 10 seconds

  @G01-DEL-06.halfway-address
  Scenario: a served announcement that is deleted by address while a push to its repository is under way is not served any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | large |
    When a client pushes, and halfway the owner asks to delete the announcement by address:
      | refs/heads/main | large |
    Then the push is accepted or refused
    And the announcement is not served any more
    And the owner's repository is gone within 10 seconds

  @G01-DEL-06.page
  Scenario: the page of a repository goes with its announcement
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And a visitor saw the page of the owner's repository
    When the owner asks to delete the announcement by id
    Then the announcement is not served any more
    And the owner's repository is gone within 10 seconds
    And the page of the owner's repository is gone within 10 seconds

  @G01-DEL-07
  Scenario: what becomes of the refs of a served state that was deleted is recorded
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the owner asks to delete the state by id
    Then it is recorded whether the state is served
    And it is recorded whether the repository has exactly:
      | refs/heads/main | second |
    When the owner published the state:
      | refs/heads/main | third |
    And a client pushes:
      | refs/heads/main | third |
    Then the push is accepted or refused

  @G01-DEL-08 @wait:26m
  Scenario: what becomes of the ref of a served pull request that was deleted is recorded
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    And a client pushed the commit second for the pull request
    When the contributor asks to delete the pull request by id
    Then it is recorded whether the pull request has a ref
    When 26 minutes pass
    Then it is recorded whether the pull request has a ref
