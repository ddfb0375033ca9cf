Feature: Events and git data come in any order
  Events name git hosts, where the reference looks for what they wait for.

  @REF-HUNT-02 @wait:4m @needs:reachback
  Scenario: a state that waits is hunted for after three minutes
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the event is accepted, waiting for git data
    And 179 seconds pass
    And the git host has been asked 0 times
    And the git host is asked after 180 seconds, and at no other time
    And the announcement is served
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |

  @REF-HUNT-02.peer @wait:2m @needs:reachback
  Scenario: a state from another relay is hunted for after half a second
    Given there is another relay
    And a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, which is at the git host, listing the other relay, with:
      | refs/heads/main | first |
    And 60 seconds pass
    And the time is taken
    When the other relay gets the owner's state:
      | refs/heads/main | second |
    Then the git host is asked after 0 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-03.peer @wait:3m @needs:reachback
  Scenario: an event from another relay makes earlier what a user's event has begun
    Given there is another relay
    And a git host has:
      | refs/heads/main | third |
    And the owner's repository is served, which is at the git host, listing the other relay, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And 60 seconds pass
    And the git host has been asked 0 times
    And the time is taken
    When the other relay gets the owner's state:
      | refs/heads/main | third |
    Then the git host is asked after 0 seconds, and at no other time
    And the state is served

  @REF-HUNT-02.pull @wait:4m @needs:reachback
  Scenario Outline: <form> that waits is hunted for after three minutes
    Given a git host has:
      | refs/heads/topic | side |
    And the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes <form> of the commit side, which is at the git host
    And the time is taken
    Then the event is accepted, waiting for git data
    And the git host is asked after 180 seconds, and at no other time
    And the <event> is served
    And the repository has exactly:
      | refs/heads/main      | first |
      | refs/nostr/{<event>} | side  |

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |

  @REF-HUNT-26 @wait:31m @needs:reachback
  Scenario: the push comes before the hunt and there is no hunt
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 30 seconds pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served
    When 30 minutes pass
    Then the git host has been asked 0 times

  @REF-HUNT-26.between @wait:31m @needs:reachback
  Scenario: the push comes between two attempts and ends the hunt
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host fails
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And the git host is asked after 180, 200 seconds, and at no other time
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served
    When 30 minutes pass
    Then the git host has been asked 2 times

  @REF-HUNT-26.data-first @wait:11m @needs:reachback
  Scenario: git data comes before the state and there is no hunt
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit second
    And a client pushed the commit second for the pull request
    And the owner published the state:
      | refs/heads/main | second |
    And the time is taken
    Then the event is accepted, waiting for nothing
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |
    When 10 minutes pass
    Then the git host has been asked 0 times

  @REF-HUNT-26.data-later @wait:11m @needs:reachback
  Scenario: git data comes by another event's push and there is no hunt
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the time is taken
    And the contributor drafted a pull request of the commit second
    And 30 seconds pass
    And a client pushes the commit second for the pull request
    Then the push succeeds
    And the state is served
    When 10 minutes pass
    Then the git host has been asked 0 times

  @REF-HUNT-26.sibling @wait:11m @needs:reachback
  Scenario: git data comes by a sibling's push and there is no hunt
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository with:
      | clone       | {scheme}://{host}/{npub}/{identifier}.git, {git host} |
      | maintainers | {maintainer}                                          |
    And the maintainer announced the repository naming the owner
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And a client pushes to the maintainer's repository:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
    When 10 minutes pass
    Then the git host has been asked 0 times

  @REF-HUNT-17.second-host @wait:5m @needs:reachback
  Scenario: what the first host lacks the second one has
    Given a git host "one" has:
      | refs/heads/main | unrelated |
    And a git host "two" has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git hosts "one" and "two"
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host "two" is asked after 180 seconds, and at no other time
    And the git host "one" has been asked 1 time
    And the state is served

  @REF-HUNT-05.later @wait:7m @needs:reachback
  Scenario: what the host gets later is found by the next attempt
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180, 200, 240 seconds, and at no other time
    And the state is not served
    When the git host gets:
      | refs/heads/main | first |
    Then the git host is asked after 180, 200, 240, 320 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
    When 5 minutes pass
    Then the git host has been asked 4 times

  @REF-HUNT-07 @REF-HUNT-05 @wait:61m @needs:reachback
  Scenario: the data never comes and the hunt ends with the state
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the time is taken
    Then the git host is asked after 180, 200, 240, 320, 440, 560, 680, 800, 920, 1040, 1160, 1280, 1400, 1520, 1640, 1760 seconds, and at no other time
    When 30 minutes pass
    Then the git host has been asked 16 times
    And the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |

  @REF-HUNT-07.late @wait:31m @needs:reachback
  Scenario: the data comes in the last minute and the state is released
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the time is taken
    And 1700 seconds pass
    And the git host gets:
      | refs/heads/main | second |
    And 61 seconds pass
    Then the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-07.announcement @wait:71m @needs:reachback
  Scenario: an announcement alone starts no hunt, and the state that revives it does
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When 60 minutes pass
    Then the owner's repository is not there
    And the git host has been asked 0 times
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the event is accepted, waiting for git data
    And the git host is asked after 180 seconds, and at no other time
    And the announcement is served
    And the state is served

  @REF-HUNT-07.revived @wait:71m @needs:reachback
  Scenario: a revived announcement is served by a push, and the hunt ends
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at the git host
    And 60 minutes pass
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served
    When 10 minutes pass
    Then the git host has been asked 1 time

  @REF-HUNT-07.forgotten @wait:1531m @needs:reachback
  Scenario: an announcement that nothing revives is forgotten without a hunt
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When 30 minutes pass
    And 25 hours pass
    And the owner publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    And 10 minutes pass
    And the git host has been asked 0 times
    When the owner announces the repository
    Then the event is accepted, waiting for git data
    And the same state by the owner is accepted
