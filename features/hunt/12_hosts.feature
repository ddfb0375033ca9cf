Feature: The hunt among hosts that fail
  What another host does harms nobody, and holds nobody up.

  @REF-HUNT-24 @hostile @wait:15m @needs:reachback
  Scenario Outline: a host that <behaves> is left for one that serves
    Given a git host "bad" has:
      | refs/heads/main | first |
    And a git host "good" has:
      | refs/heads/main | first |
    And from now on the git host "bad" <behaves>
    And the owner announced the repository, which is at the git hosts "bad" and "good"
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after <seconds> seconds the git host "good" has been asked 1 time
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
    And no request is under way at the git host "bad"

    Examples:
      | id        | behaves   | seconds |
      | refuses   | refuses   | 181     |
      | drops     | drops     | 181     |
      | denies    | denies    | 181     |
      | lacks     | lacks     | 181     |
      | limits    | limits    | 181     |
      | fails     | fails     | 181     |
      | hangs     | hangs     | 211     |
      | truncates | truncates | 181     |
      | corrupts  | corrupts  | 181     |
      | cheats    | cheats    | 181     |
      | lies      | lies      | 181     |
      | floods    | floods    | 181     |

  @REF-HUNT-24.places @hostile @wait:10m @needs:reachback
  Scenario: a host that hung is asked again for all once it serves
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host hangs
    And the owner announced the repository, which is at the git host
    And 8 repositories wait for data of the git host
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 260 seconds at most 5 requests were under way at the git host at once
    And from now on the git host serves
    And after 420 seconds the state is served
    And no request is under way at the git host

  @REF-HUNT-24.wrong @hostile @wait:12m @needs:reachback
  Scenario Outline: what a host that <behaves> sends releases nothing
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host <behaves>
    And the owner announced the repository, which is at the git host
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 300 seconds the state is not served
    And the repository answers git and is empty
    When from now on the git host serves
    Then after 430 seconds the state is served
    And the repository has exactly:
      | refs/heads/main | first |

    Examples:
      | id        | behaves   |
      | truncates | truncates |
      | corrupts  | corrupts  |
      | cheats    | cheats    |
      | lies      | lies      |

  @REF-HUNT-24.flaps @wait:10m @needs:reachback
  Scenario: a host that fails now and then is asked until it serves
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And the time is taken
    And from now on the git host fails for 210 seconds and serves for 210
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 209 seconds the git host has been asked 2 times
    And after 239 seconds the state is not served
    And after 241 seconds the state is served

  @REF-HUNT-24.dies @wait:10m @needs:reachback
  Scenario: a host that is gone holds nobody up
    Given a git host "gone" has:
      | refs/heads/main | first |
    And a git host "good" has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git hosts "gone" and "good"
    And the git host "gone" dies
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 181 seconds the state is served

  @REF-HUNT-25 @wait:760m @needs:reachback
  Scenario: a host that cannot show a certificate is left out for twelve hours
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at:
      | https://{at}/{identifier}.git |
    And the owner published the state:
      | refs/heads/main | first |
    And the time is taken
    And 200 seconds pass
    And the owner announced the repository, which is at:
      | http://{at}/{identifier}.git |
    And after 1500 seconds the git host has been asked 0 times
    When after 42900 seconds the owner announced the repository, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    Then after 43379 seconds the git host has been asked 0 times
    And after 43470 seconds the state is served
