Feature: When a hunt tries again

  @REF-HUNT-05 @wait:12m @needs:reachback
  Scenario Outline: after a host that <does> the pause grows from 20 to 120 seconds
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host <does>
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180, 200, 240, 320, 440, 560, 680 seconds, and at no other time

    Examples:
      | id    | does  |
      | lacks | lacks |
      | fails | fails |
      | drops | drops |

  @REF-HUNT-01 @wait:5m @needs:reachback
  Scenario: ten states at once cause one request
    Given a git host has:
      | refs/heads/main | first     |
      | refs/heads/dev  | unrelated |
    And the owner announced the repository, which is at the git host
    And 10 states of the owner wait, the last one with:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
    When 10 minutes pass
    Then the git host has been asked 1 time

  @REF-HUNT-01.kinds @wait:5m @needs:reachback
  Scenario: a state, a pull request and an update cause one request
    Given a git host has:
      | refs/heads/main | second    |
      | refs/heads/dev  | side      |
      | refs/heads/new  | unrelated |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the time is taken
    And the contributor published a pull request of the commit side, which is at the git host
    And the contributor published an update of the commit unrelated, which is at the git host
    Then the git host is asked after 180 seconds, and at no other time
    And the git host has been asked for exactly the commits second, side and unrelated
    And the state is served
    And the pull request is served
    And the update is served

  @REF-HUNT-03 @wait:5m @needs:reachback
  Scenario: what comes later does not move the first attempt
    Given a git host has:
      | refs/heads/main | second |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 100 seconds pass
    And the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted, waiting for git data
    And the git host is asked after 180 seconds, and at no other time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-03.backoff @wait:9m @needs:reachback
  Scenario: what comes between two attempts does not move the next one
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host lacks
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 330 seconds pass
    And the owner published the state:
      | refs/heads/main | second |
    Then the git host is asked after 180, 200, 240, 320, 440 seconds, and at no other time

  @REF-HUNT-04 @wait:9m @needs:reachback
  Scenario: a new event begins the backoff anew
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host lacks
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 250 seconds pass
    And the owner published the state:
      | refs/heads/main | second |
    Then the git host is asked after 180, 200, 240, 320, 340, 380, 460 seconds, and at no other time

  @REF-HUNT-04.duplicate @wait:10m @needs:reachback
  Scenario: a known event changes nothing
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 250 seconds pass
    And the owner sends the state again
    Then the event is known already
    And the git host is asked after 180, 200, 240, 320, 440, 560 seconds, and at no other time

  @REF-HUNT-06 @wait:8m @needs:reachback
  Scenario: an event that comes at the instant of the last release is hunted for
    Given a git host has:
      | refs/heads/main | second |
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 180 seconds pass
    And the state is served
    And the owner publishes the state:
      | refs/heads/main | second |
    And the git host is asked after 180, 360 seconds, and at no other time
    Then the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-06.during @wait:8m @needs:reachback
  Scenario: an event that comes during an attempt is hunted for
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host answers after 10 seconds
    And the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 185 seconds pass
    And the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted, waiting for git data
    And 200 seconds pass
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |
    And the git host has been asked for exactly the commits first and second
