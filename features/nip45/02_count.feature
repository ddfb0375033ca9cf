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

  @N01-CNT-01.dressed @further
  Scenario: issues in every dress are counted
    Given issues of the contributor in every dress were sent
    Then counts by these filters are of what matches and nothing else:
      | filter                          | events      |
      | authors contributor             | all of them |
      | authors contributor, t dressed | all of them |
      | t dressed                       | all of them |

  @N01-CNT-01.parts
  Scenario: every part of a filter counts, and every filter of a count
    Given these events were accepted:
      | name   | author      | kind | topic | shade | date |
      | red    | contributor | 1621 | red   | warm  | 100  |
      | green  | contributor | 1621 | green | cold  | 200  |
      | blue   | contributor | 1621 | blue  | cold  | 300  |
      | rose   | stranger    | 1621 | red   | cold  | 350  |
      | patch  | stranger    | 1617 | red   | warm  | 400  |
      | reply  | stranger    | 1111 | red   | red   | 500  |
      | answer | maintainer  | 1111 | red   | reply | 550  |
      | draft  | maintainer  | 1617 | green | cold  | 600  |
    Then counts by these filters are of what matches and nothing else:
      | filter                                                                  | events                                    |
      | ids red or reply                                                        | "red", "reply"                            |
      | ids reply or red                                                        | "red", "reply"                            |
      | ids patch                                                               | "patch"                                   |
      | ids red, kinds 1621                                                     | "red"                                     |
      | ids red or patch, kinds 1617                                            | "patch"                                   |
      | ids red, authors stranger                                               | nothing                                   |
      | ids red or patch, authors stranger                                      | "patch"                                   |
      | ids red or green, t green                                               | "green"                                   |
      | ids red or green, since green                                           | "green"                                   |
      | authors contributor or maintainer                                       | "red", "green", "blue", "answer", "draft" |
      | authors maintainer or contributor                                       | "red", "green", "blue", "answer", "draft" |
      | authors stranger or maintainer, kinds 1621                              | "rose"                                    |
      | authors contributor, t red                                              | "red"                                     |
      | authors stranger, t red                                                 | "rose", "patch"                           |
      | authors stranger, kinds 1111 or 1617                                    | "patch", "reply"                          |
      | authors stranger, kinds 1617 or 1111                                    | "patch", "reply"                          |
      | authors maintainer, kinds 1621                                          | nothing                                   |
      | authors stranger, until patch                                           | "rose", "patch"                           |
      | authors stranger, since patch                                           | "patch", "reply"                          |
      | authors contributor, since green, until green                           | "green"                                   |
      | kinds 1621 or 1617, t red                                               | "red", "rose", "patch"                    |
      | kinds 1617 or 1621, t red                                               | "red", "rose", "patch"                    |
      | kinds 1617, t red                                                       | "patch"                                   |
      | kinds 1621, t red or green                                              | "red", "green", "rose"                    |
      | kinds 1111, t red                                                       | nothing                                   |
      | kinds 1621, l cold                                                      | "green", "blue", "rose"                   |
      | kinds 1617, authors maintainer, t green, l cold, since red, until draft | "draft"                                   |
      | t red or green                                                          | "red", "green", "rose", "patch", "draft"  |
      | t green or red                                                          | "red", "green", "rose", "patch", "draft"  |
      | t red or yellow                                                         | "red", "rose", "patch"                    |
      | t yellow or red                                                         | "red", "rose", "patch"                    |
      | t red, l warm                                                           | "red", "patch"                            |
      | t green or red, l cold                                                  | "green", "rose", "draft"                  |
      | t red, l cold or warm                                                   | "red", "rose", "patch"                    |
      | t yellow, l cold                                                        | nothing                                   |
      | t red, l yellow                                                         | nothing                                   |
      | t red, since rose                                                       | "rose", "patch"                           |
      | t red, until red                                                        | "red"                                     |
      | E red                                                                   | "reply", "answer"                         |
      | e red                                                                   | "reply"                                   |
      | E red, e reply                                                          | "answer"                                  |
      | E reply                                                                 | nothing                                   |
      | e reply                                                                 | "answer"                                  |
      | ids red; t green                                                        | "red", "green", "draft"                   |
      | t yellow; ids blue                                                      | "blue"                                    |
      | ids blue; t yellow                                                      | "blue"                                    |
      | ids red; ids green; ids patch                                           | "red", "green", "patch"                   |
      | kinds 1617, t red; authors contributor, l cold                          | "green", "blue", "patch"                  |
      | authors maintainer; t green                                             | "green", "answer", "draft"                |

  @N01-CNT-01.letters
  Scenario: tags of every letter are there to count by
    Given these events were accepted:
      | name  | author      | kind | topic | shade | date | tags                                                                                            |
      | one   | contributor | 1621 | red   | warm  | 100  | [["b","1"],["c","1"],["g","1"],["i","1"],["k","1"],["m","1"],["n","1"],["r","1"]]               |
      | two   | contributor | 1621 | red   | warm  | 200  | [["s","2"],["u","2"],["x","2"],["z","2"],["G","2"],["I","2"],["K","2"],["R","2"],["k","1"]]     |
      | three | contributor | 1    | red   | warm  | 300  | [["r","2"],["x","1"],["K","1"],["k","2"],["A","1"],["q","1"]]                                   |
    Then counts by these filters are of what matches and nothing else:
      | filter                                     | events         |
      | authors contributor, b =1                  | "one"          |
      | authors contributor, c =1                  | "one"          |
      | authors contributor, g =1                  | "one"          |
      | authors contributor, i =1 or =2            | "one"          |
      | authors contributor, k =1                  | "one", "two"   |
      | authors contributor, k =1, r =1            | "one"          |
      | authors contributor, m =1, n =1            | "one"          |
      | authors contributor, r =2                  | "three"        |
      | authors contributor, s =2, u =2            | "two"          |
      | authors contributor, x =1 or =2            | "two", "three" |
      | authors contributor, z =2, G =2            | "two"          |
      | authors contributor, I =2, R =2            | "two"          |
      | authors contributor, K =1                  | "three"        |
      | authors contributor, A =1, q =1            | "three"        |
      | authors contributor, kinds 1               | "three"        |
      | authors contributor, kinds 1 or 1621, k =1 | "one", "two"   |
      | authors contributor, g =2                  | nothing        |

  @N01-CNT-01.whole
  Scenario: a count of everything is that of its parts
    Given the contributor posted the issue "red" dated 100
    And the stranger posted the issue "green" dated 200
    Then a count of everything is the sum of the counts of what is until "red" and of what is since a second later

  @N01-CNT-01.more
  Scenario: more than ten events are counted as many as they are
    Given the contributor posted 12 issues
    Then a count of the contributor's events is 12

  @N01-CNT-01.many
  Scenario: more than a hundred events are counted as many as they are
    Given the contributor posted 110 issues
    Then a count of the contributor's events is 110

  @N01-CNT-01.id
  Scenario: a count is answered under its id, of whatever characters that is
    Given the contributor posted the issue "once"
    Then counts under ids of every sort of character are 1

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

  @N01-CNT-01.subscription @score:should
  Scenario: a count under the id of a subscription leaves that open
    Given a subscription for the contributor's issues is open
    When a count of the contributor's issues is asked for under the id of the subscription
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N01-CNT-01.agrees
  Scenario: a count is what a query brings, whichever way events have come and gone
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then a count of the owner's events is what a query brings
    When the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    Then the announcement "newer" is served
    And a count of the owner's events is what a query brings
    When the owner publishes a pull request of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served
    And a count of the owner's events is what a query brings
    When the owner asks to delete the pull request by id
    Then a count of the owner's events is what a query brings
    When the owner publishes an article "gone"
    Then the event is accepted, or such events are not taken
    When the owner asks to delete the event "gone" by address
    Then a count of the owner's events is what a query brings

  @N01-CNT-01.agrees-vanished @needs:nip=62
  Scenario: a count is what a query brings when somebody has vanished
    Given the contributor posted the issue "old" dated 100
    And the contributor posted the issue "young" dated 300
    And a count of the contributor's events is what a query brings
    When the contributor asks to vanish from this relay dated 200
    Then the issue "old" is not served any more
    And a count of the contributor's events is what a query brings

  @N01-CNT-01.agrees-restarted @serial @further @needs:restart
  Scenario: a count is what a query brings behind a restart
    Given the contributor posted the issue "one"
    And the contributor posted the issue "two"
    And the contributor's request to delete the issue "two" is taken
    When the server restarts
    Then a count of the contributor's events is what a query brings
    When the contributor posts the issue "three"
    Then the event is accepted
    And a count of the contributor's events is what a query brings
