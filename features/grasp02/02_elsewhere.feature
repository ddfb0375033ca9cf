Feature: Git data from elsewhere (GRASP-02)
  A server fetches what it lacks from the other clone URLs. When it asks is recorded; that it asks within an hour is
  judged.

  @G02-GIT-01 @wait:61m @needs:reachback
  Scenario: the data of a state is fetched from another clone URL
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    And the time is taken
    Then the state is served within an hour
    And it is recorded when the git host was asked
    And the announcement is served
    And the repository has exactly:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |

  @G02-GIT-02 @wait:61m @needs:reachback
  Scenario Outline: the data of <form> is fetched from the clone URL that it names itself
    Given a git host has:
      | refs/heads/topic | side |
    And the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes <form> of the commit side, which is at the git host
    And the time is taken
    Then the <event> is served within an hour
    And it is recorded when the git host was asked
    And the repository has exactly:
      | refs/heads/main      | first |
      | refs/nostr/{<event>} | side  |

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |

  @G02-GIT-03 @wait:71m @needs:reachback
  Scenario: a host that fails at first is asked again
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host lacks
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    And 10 minutes pass
    And it is recorded when the git host was asked
    And from now on the git host serves
    Then the state is served within an hour

  @G02-GIT-04 @wait:61m @needs:reachback
  Scenario: hosts that fail are passed over, and what the others have adds up
    Given a git host "bad" has:
      | refs/heads/main | first |
    And a git host "one" has:
      | refs/heads/main | second |
    And a git host "two" has:
      | refs/heads/topic | side |
    And from now on the git host "bad" fails
    And the owner announced the repository, which is at the git hosts "bad", "one" and "two"
    When the owner publishes the state:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And the time is taken
    Then the state is served within an hour
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |

  @G02-GIT-06 @wait:61m @needs:reachback
  Scenario: no other ref of the host and not its HEAD comes along
    Given a git host has:
      | HEAD             | unrelated |
      | refs/heads/main  | first     |
      | refs/heads/topic | unrelated |
      | refs/tags/v1     | tag       |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    And the time is taken
    Then the state is served within an hour
    And the repository still has exactly:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |

  @G02-GIT-07 @wait:61m @needs:reachback
  Scenario: objects are fetched that no ref of the host points to any more
    Given a git host has:
      | refs/heads/main | third |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    Then the state is served within an hour

  @G02-GIT-04.maintainer @wait:61m @needs:reachback
  Scenario: the data of a maintainer's state is fetched from a clone URL that the maintainer's announcement alone names
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository with:
      | clone       | {git host}                  |
      | relays      | wss://relay.example.invalid |
      | maintainers | {owner}                     |
    When the maintainer publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    And the state is served within an hour
    And the repository has exactly:
      | refs/heads/main | second |

  @G02-GIT-01.next @wait:61m @needs:reachback
  Scenario: the data of a further state of a served repository is fetched from another clone URL
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    Then the state is served within an hour
    And the repository has exactly:
      | refs/heads/main | second |

  @G02-GIT-01.tags @wait:61m @needs:reachback
  Scenario: the tags of a state are fetched from another clone URL, too
    Given a git host has:
      | refs/heads/main | first  |
      | refs/tags/light | second |
      | refs/tags/v1    | tag    |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first  |
      | refs/tags/light | second |
      | refs/tags/v1    | tag    |
    And the time is taken
    Then the state is served within an hour
    And the repository has exactly:
      | refs/heads/main | first  |
      | refs/tags/light | second |
      | refs/tags/v1    | tag    |

  @G02-GIT-02.several @wait:61m @needs:reachback
  Scenario Outline: the data of <form> is fetched from the second of the clone URLs that it names itself
    Given a git host "bad" has:
      | refs/heads/topic | side |
    And a git host "good" has:
      | refs/heads/topic | side |
    And from now on the git host "bad" refuses
    And the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes <form> of the commit side, which is at the git hosts "bad" and "good"
    And the time is taken
    Then the <event> is served within an hour
    And the repository has exactly:
      | refs/heads/main      | first |
      | refs/nostr/{<event>} | side  |

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |
