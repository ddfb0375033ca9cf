Feature: Sibling repositories
  Repositories of one identifier on one server, whose owners name each other, follow the same state.

  @G01-XR-01
  Scenario: a push to one repository brings the other one that names its owner into line
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |
    When a client pushes:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |
    Then the push succeeds
    And the maintainer's repository comes to have exactly:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |
    And the commit second can be fetched from the maintainer's repository

  @G01-XR-01.head
  Scenario: HEAD of the other repository follows too
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main  | first            |
      | refs/heads/trunk | second           |
      | HEAD             | refs/heads/trunk |
    When a client pushes:
      | refs/heads/main  | first  |
      | refs/heads/trunk | second |
    Then the push succeeds
    And the maintainer's repository comes to have exactly:
      | refs/heads/main  | first            |
      | refs/heads/trunk | second           |
      | HEAD             | refs/heads/trunk |

  @G01-XR-01.maintainer
  Scenario: a push to the maintainer's repository brings the owner's into line
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes to the maintainer's repository:
      | refs/heads/main | first |
    Then the push succeeds
    And the owner's repository comes to have exactly:
      | refs/heads/main | first |
    And the commit first can be fetched from the owner's repository

  @G01-XR-01.again
  Scenario: the other repository follows a second state with its deletions
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And a client pushed:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the maintainer published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |
    Then the push succeeds
    And the maintainer's repository comes to have exactly:
      | refs/heads/main | second |

  @G01-XR-02
  Scenario: a repository whose owner does not recognize the author stays as it is
    Given the owner and the maintainer announced the repository, naming each other
    And the stranger announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    When the maintainer's repository follows, or has had the time to:
      | refs/heads/main | first |
    Then the stranger's repository still has no refs
    But it has exactly this once the stranger published the state and a client pushed it:
      | refs/heads/main | first |

  @G01-XR-02.served
  Scenario: a served repository whose owner does not recognize the author stays as it is
    Given the stranger's repository is served with:
      | refs/heads/main | unrelated |
    And the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    When the maintainer's repository follows, or has had the time to:
      | refs/heads/main | first |
    Then the stranger's repository still has exactly:
      | refs/heads/main | unrelated |
    But it has exactly this once the stranger published the state and a client pushed it:
      | refs/heads/main | first |

  @G01-XR-03
  Scenario: the held announcement of the other repository is released
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the maintainer's repository comes to have exactly:
      | refs/heads/main | first |
    And the announcement "maintainer" is served within 5 seconds

  @G01-XR-03.listener
  Scenario: a listener gets the held announcement of the other repository when it is released
    Given a listener followed the maintainer's events
    And the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the maintainer's repository comes to have exactly:
      | refs/heads/main | first |
    And the listener gets the announcement "maintainer"

  @G01-PURG-05.sibling
  Scenario: the held announcement of an owner who does not recognize the author is not released
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger announced the repository
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the maintainer's repository follows, or has had the time to:
      | refs/heads/main | first |
    And the announcement is not served
    But it has exactly this once the stranger published the state and a client pushed it:
      | refs/heads/main | first |

  @G01-XR-04
  Scenario: a repository with a newer state is not rewound by a push to its maintainer's one
    Given the owner announced the repository
    And the maintainer's repository is served, naming the owner, with:
      | refs/heads/main | second |
    And the owner published the state dated 1:
      | refs/heads/main | side |
    And a client pushed:
      | refs/heads/main | side |
    Then the maintainer's repository still has exactly:
      | refs/heads/main | second |
    But it has exactly this once the maintainer published the state and a client pushed it:
      | refs/heads/main | third |

  @G01-XR-04.mutual
  Scenario: a repository with a newer state is not rewound where both owners name each other
    Given the maintainer's repository is served, naming the owner, with:
      | refs/heads/main | second |
    And the owner announced the repository naming the maintainer
    And the owner sent the state dated 1:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | side |
    Then the maintainer's repository still has exactly:
      | refs/heads/main | second |
    But it follows the owner's next state:
      | refs/heads/main | third |

  @G01-XR-05
  Scenario: where a pull request to several repositories has its ref is recorded
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the maintainer's repository came to have exactly:
      | refs/heads/main | first |
    When the contributor publishes a pull request of the commit side to the owner's and the maintainer's repository
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And it is recorded which of the two repositories have the ref of the pull request

  @G01-PURG-22
  Scenario: a held state is released by data that reaches a stranger's repository
    Given the owner announced the repository
    And the owner published the state "held":
      | refs/heads/main | first |
    And the stranger announced the repository
    And the stranger published the state:
      | refs/heads/main | first |
    When a client pushes to the stranger's repository:
      | refs/heads/main | first |
    Then the push succeeds
    And the owner's repository comes to have exactly:
      | refs/heads/main | first |
    And the state "held" is served within 5 seconds

  @G01-PURG-22.pull-request
  Scenario: a held pull request is released by data that reaches the maintainer's repository
    Given the owner and the maintainer announced the repository, naming each other
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the maintainer published the state:
      | refs/heads/main | side |
    When a client pushes to the maintainer's repository:
      | refs/heads/main | side |
    Then the push succeeds
    And the pull request is served within 5 seconds

  @G01-PURG-22.later
  Scenario: a state whose objects another repository has needs no push
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And the state is served within 5 seconds
    And the owner's repository comes to have exactly:
      | refs/heads/main | first |

  @G01-PUSH-30
  Scenario: a push releases the state and the announcement that it completes
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served within 5 seconds
    And the announcement is served within 5 seconds

  @G01-MNT-07
  Scenario Outline: what <role> may do is recorded
    Given the owner announced the repository with:
      | <tag>       | <values>     |
      | maintainers | {maintainer} |
    And the maintainer announced the repository naming the owner
    When the maintainer sends the state:
      | refs/heads/main | side |
    Then the answer to the event is recorded
    And a client pushes:
      | refs/heads/main | side |
    And the push is accepted or refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | side |

    Examples:
      | id        | role                                  | tag | values                               |
      | lead      | a lead                                | M   | {maintainer}                         |
      | co        | a co-maintainer                       | m   | {maintainer}                         |
      | moderator | a moderator                           | o   | {maintainer}                         |
      | active    | a co-maintainer since a time          | m   | {maintainer}, 1700000000             |
      | former    | a former co-maintainer                | m   | {maintainer}, 1600000000, 1700000000 |
      | deferred  | a co-maintainer with a deferred end   | m   | {maintainer}, 1600000000, defer      |
      | malformed | a co-maintainer with a malformed time | m   | {maintainer}, soon                   |
      | other     | a maintainer outside the roster       | m   | {second maintainer}                  |

  @G01-ANN-14.listener @needs:held=30617
  Scenario: a listener gets a maintainer's announcement that does not list this service when it is released
    Given a listener followed the maintainer's events
    And the owner announced the repository naming the maintainer
    And the owner published the state:
      | refs/heads/main | first |
    And the maintainer announced the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}                                             |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the listener gets the announcement
