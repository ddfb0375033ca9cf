Feature: What several hosts have, and whom it is for

  @REF-HUNT-17 @wait:5m @needs:reachback @needs:one-sided
  Scenario: each state goes as soon as its own data is there
    Given a git host "fast" has:
      | refs/heads/main | second |
    And a git host "slow" has:
      | refs/heads/main | third |
    And a git host "down" has:
      | refs/heads/main | side |
    And from now on the git host "slow" answers after 5 seconds
    And from now on the git host "down" hangs
    And the owner's repository is served, naming the maintainer and the second maintainer, which is at the git hosts "fast", "slow" and "down", with:
      | refs/heads/main | first |
    When the owner published the state "quick":
      | refs/heads/main | second |
    And the time is taken
    And the maintainer published the state "later":
      | refs/heads/main | third |
    And the second maintainer published the state "never":
      | refs/heads/main | side |
    And 181 seconds pass
    Then the state "quick" is served
    And the repository has exactly:
      | refs/heads/main | second |
    And the state "later" is not served
    When 90 seconds pass
    Then the state "later" is served
    And the repository has exactly:
      | refs/heads/main | third |
    And the state "never" is not served

  @REF-HUNT-16 @wait:5m @needs:reachback
  Scenario: what two hosts have adds up
    Given a git host "one" has:
      | refs/heads/main | second |
    And a git host "two" has:
      | refs/heads/topic | side |
    And the owner announced the repository, which is at the git hosts "one" and "two"
    When the owner publishes the state:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And the time is taken
    And 182 seconds pass
    Then the state is served
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And the git host "two" has been asked for exactly the commit side

  @REF-HUNT-16.exact @wait:5m @needs:reachback
  Scenario: a request is for the missing commits alone
    Given a git host has:
      | refs/heads/main   | second    |
      | refs/heads/topic  | side      |
      | refs/heads/others | unrelated |
      | refs/tags/v1      | tag       |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main  | second |
      | refs/heads/old   | first  |
      | refs/heads/topic | side   |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the git host has been asked for exactly the commits second and side
    And the state is served
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/old   | first  |
      | refs/heads/topic | side   |

  @REF-HUNT-16.part @wait:6m @needs:reachback
  Scenario: what has come is not asked for again
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And the time is taken
    And 190 seconds pass
    And the git host forgets what it was asked for
    And 60 seconds pass
    Then the git host has been asked for exactly the commit side

  @REF-HUNT-15 @wait:4m @needs:reachback
  Scenario: another maintainer's announcement names the host
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository naming the maintainer
    And the maintainer announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the state is served

  @REF-HUNT-15.own @wait:4m @needs:reachback
  Scenario Outline: <form> is hunted for at its own clone URL
    Given a git host has:
      | refs/heads/main | first |
    And a git host "other" has:
      | refs/heads/topic | side |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the contributor publishes <form> of the commit side, which is at the git host "other"
    And the time is taken
    Then the git host "other" is asked after 180 seconds, and at no other time
    And the git host "other" has been asked for exactly the commit side
    And the <event> is served

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |

  @REF-HUNT-18 @wait:16m @needs:reachback @needs:one-sided
  Scenario: who is no maintainer any more waits until he is one again
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, naming the maintainer, which is at the git host, with:
      | refs/heads/main | first |
    When the maintainer publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And 100 seconds pass
    And the owner announced the repository, which is at the git host
    And 200 seconds pass
    Then the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |
    When the owner announced the repository with:
      | clone       | {scheme}://{host}/{npub}/{identifier}.git, {git host} |
      | maintainers | {maintainer}                                          |
    And 200 seconds pass
    Then the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-18.while-fetched @wait:6m @needs:reachback @needs:one-sided
  Scenario: who is no maintainer any more when the data comes releases nothing
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host answers after 20 seconds
    And the owner's repository is served, naming the maintainer, which is at the git host, with:
      | refs/heads/main | first |
    When the maintainer publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And the git host is asked after 180 seconds, and at no other time
    And the owner announced the repository, which is at the git host
    And 60 seconds pass
    Then the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |

  @REF-HUNT-18.older @wait:5m @needs:reachback @needs:one-sided
  Scenario: what is not the latest any more is stored and moves no ref
    Given a git host has:
      | refs/heads/main | side |
    And the owner's repository is served, naming the maintainer, which is at the git host, with:
      | refs/heads/main | first |
    And the maintainer published the state "old" dated 100:
      | refs/heads/main | side |
    And the time is taken
    And the owner published the state "new" dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    When 182 seconds pass
    Then the state "old" is served
    And the state "new" is served
    And the repository still has exactly:
      | refs/heads/main | second |

  @REF-HUNT-19 @wait:4m @needs:reachback
  Scenario: what is fetched for the owner does not come to a stranger's repository
    Given a git host has:
      | refs/heads/main | first |
    And the stranger announced the repository, which is at the git host
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the state is served
    And the commit first is not in the stranger's repository

  @REF-HUNT-19.maintainer @wait:4m @needs:reachback @needs:one-sided
  Scenario: what a maintainer's state needs comes to the owner's repository
    Given a git host has:
      | refs/heads/main | second |
    And the stranger announced the repository, which is at the git host
    And the owner's repository is served, naming the maintainer, which is at the git host, with:
      | refs/heads/main | first |
    When the maintainer publishes the state:
      | refs/heads/main | second |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |
    And the commit second is not in the stranger's repository

  @REF-HUNT-20 @wait:4m @needs:reachback
  Scenario: no ref of the host and not its HEAD comes along
    Given a git host has:
      | HEAD             | side      |
      | refs/heads/main  | side      |
      | refs/heads/new   | second    |
      | refs/heads/topic | unrelated |
      | refs/tags/v1     | tag       |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    When the owner publishes the state:
      | refs/heads/main | second          |
      | HEAD            | refs/heads/main |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second          |
      | HEAD            | refs/heads/main |

  @REF-HUNT-20.part @wait:6m @needs:reachback
  Scenario: the part of a state's data that has come moves no ref
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And the time is taken
    And 250 seconds pass
    Then the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |
    When the git host gets:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
    And 100 seconds pass
    Then the state is served
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/topic | side   |
