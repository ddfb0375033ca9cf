Feature: Counts
  COUNT tells how many of the served events match, without sending them.

  @N01-CNT-01
  Scenario Outline: a count by <filter> tells how many events match
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    And the contributor posted the issue "blue" dated 300
    And the stranger posted a comment "reply" on the issue "red" dated 400
    Then a count by <filter> is <number>

    Examples:
      | id      | filter                           | number |
      | ids     | two ids                          | 2      |
      | authors | author                           | 3      |
      | kinds   | kind                             | 1      |
      | tag     | an upper-case tag                | 1      |
      | window  | since and until both at green    | 1      |
      | all-of  | author and another author's kind | 0      |
      | any-of  | either of two filters            | 2      |

  @N01-CNT-01.again
  Scenario: an event that was sent twice is counted once
    Given the contributor posted the issue "once"
    When the contributor posts the issue "once" again
    Then a count of the contributor's events is 1

  @N01-CNT-01.replaced
  Scenario: a version that was replaced is not counted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    Then a count of the owner's events of the repository is 2

  @N01-CNT-01.held
  Scenario: what waits for git data is not counted
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the announcement does not show in a count
    And the state does not show in a count

  @N01-CNT-01.released
  Scenario: what was released is counted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then a count of the owner's events of the repository is 2
