Feature: Queries
  Subscriptions get the stored events that match, then EOSE, then live ones.

  @N01-REQ-01
  Scenario Outline: a query by <filter> holds what matches and nothing else
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    And the contributor posted the issue "blue" dated 300
    And the stranger posted a comment "reply" on the issue "red" dated 400
    When a client asks by <filter>
    Then the query holds exactly <events>

    Examples:
      | id         | filter                            | events             |
      | ids        | two ids                           | "red", "green"     |
      | authors    | author                            | "red", "green", "blue" |
      | kinds      | kind                              | "reply"            |
      | lower-tag  | a lower-case tag                  | "green"            |
      | upper-tag  | an upper-case tag                 | "reply"            |
      | since      | a since at the time of green      | "green", "blue"    |
      | until      | an until at the time of green     | "red", "green"     |
      | window     | since and until both at green     | "green"            |
      | first      | an until at the beginning of time | nothing            |
      | ever       | a since at the beginning of time  | "red", "green", "blue" |
      | seconds    | a since in the ninth second of time | "red", "green", "blue" |
      | distant    | an until in the year 5236         | "red", "green", "blue" |
      | generous   | an author and a limit of 5000     | "red", "green", "blue" |
      | all-of     | author and another author's kind  | nothing            |
      | any-of     | either of two filters             | "red", "reply"     |
      | id-prefix  | the first half of an id           | nothing            |
      | tag-prefix | the first half of a tag value     | nothing            |

  @N01-REQ-01.limit @score:should
  Scenario Outline: a query with <filter> holds what there is, if the relay takes it
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    When a client asks by <filter>
    Then the query holds exactly "red", "green"

    Examples:
      | id | filter                 |
      | 16 | a limit beyond 16 bits |
      | 32 | a limit beyond 32 bits |

  @N01-REQ-01.late @hostile @live-only @because:needs-bare-connections @score:should
  Scenario: a subscription that is read late gets every event, or the relay has ended it
    Then a subscription for the stranger's issues gets 600 events though it is read late, or the relay has ended it

  @N01-REQ-01.end
  Scenario: a query has an end
    When a client connects to the relay
    Then a query has an end

  @N01-REQ-01.parts
  Scenario: every part of a filter counts, and every filter of a query
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
    Then queries by these filters hold what matches and nothing else:
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
      | authors contributor, since blue, until red                              | nothing                                   |
      | authors contributor, until beyond                                       | "red", "green", "blue"                    |
      | authors contributor, since beyond                                       | nothing                                   |
      | authors contributor, since green, until beyond                          | "green", "blue"                           |
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
      | authors stranger or maintainer, K 1621                                  | "reply", "answer"                         |
      | authors stranger or maintainer, k 1621                                  | "reply"                                   |
      | authors stranger or maintainer, k 1111                                  | "answer"                                  |
      | authors stranger or maintainer, P contributor                           | "reply", "answer"                         |
      | authors stranger or maintainer, p stranger                              | "answer"                                  |
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

  @N01-REQ-01.addresses
  Scenario: every part of a filter counts beside an address, too
    Given these events were accepted:
      | name   | author      | kind  | topic | shade | date |
      | red    | contributor | 30023 | red   | warm  | 100  |
      | green  | contributor | 30023 | green | cold  | 200  |
      | rose   | stranger    | 30023 | red   | cold  | 300  |
      | wild   | contributor | 30023 | r_d   | warm  | 350  |
      | patch  | contributor | 1617  | red   | warm  | 400  |
    Then queries by these filters hold what matches and nothing else:
      | filter                                                      | events         |
      | authors contributor, kinds 30023, d red                     | "red"          |
      | authors contributor, kinds 30023, d red or green            | "red", "green" |
      | authors contributor or stranger, kinds 30023, d red         | "red", "rose"  |
      | authors contributor or stranger, kinds 30023, d green or red | "red", "green", "rose" |
      | authors contributor, kinds 30023, d r_d                     | "wild"         |
      | authors contributor, kinds 30023, d r%                      | nothing        |
      | authors contributor, kinds 30023, d red, since red          | "red"          |
      | authors contributor, kinds 30023, d red, since green        | nothing        |
      | authors contributor, kinds 30023, d green, until green      | "green"        |
      | authors contributor, kinds 30023, d green, until red        | nothing        |
      | authors contributor, kinds 30023, d red or green, since green | "green"      |
      | authors contributor, kinds 30023, d red, l warm             | "red"          |
      | authors contributor, kinds 30023, d red, l cold             | nothing        |
      | authors contributor, kinds 30023, d yellow                  | nothing        |
      | authors stranger, kinds 30023, d green                      | nothing        |
      | authors contributor, kinds 1617, d red                      | nothing        |
      | ids red, authors contributor, kinds 30023, d green          | nothing        |

  @N01-REQ-01.each-kind
  Scenario: events of every kind are found by it
    Given these events were accepted:
      | name    | author      | kind  | topic | shade | date |
      | note    | contributor | 1     | red   | warm  | 100  |
      | patch   | contributor | 1617  | red   | warm  | 200  |
      | label   | contributor | 1985  | red   | warm  | 300  |
      | article | contributor | 30023 | red   | warm  | 400  |
      | data    | contributor | 30078 | red   | warm  | 500  |
    Then queries by these filters hold what matches and nothing else:
      | filter                                                   | events            |
      | authors contributor, kinds 1                             | "note"            |
      | authors contributor, kinds 1985                          | "label"           |
      | authors contributor, kinds 30078                         | "data"            |
      | authors contributor, kinds 30023 or 1                    | "note", "article" |
      | authors contributor, kinds 1985 or 1617, limit 2         | "patch", "label"  |
      | kinds 1, t red                                           | "note"            |
      | authors contributor, kinds 0 or 3 or 5 or 7 or 6 or 1985 | "label"           |

  @N01-REQ-01.live-each-kind
  Scenario: events of every kind come to who listens for it
    Given these events were signed:
      | name    | author      | kind  | topic | shade | date | tags               |
      | note    | contributor | 1     | red   | warm  | 100  | [["q","one"]]      |
      | patch   | contributor | 1617  | red   | warm  | 200  | [["A","one"]]      |
      | label   | contributor | 1985  | red   | warm  | 300  | []                 |
      | article | contributor | 30023 | red   | warm  | 400  | []                 |
      | data    | contributor | 30078 | red   | warm  | 500  | []                 |
    And subscriptions by these filters are open:
      | filter                                                        | events                     |
      | authors contributor, kinds 1                                  | "note"                     |
      | authors contributor, kinds 1985                               | "label"                    |
      | authors contributor, kinds 30078                              | "data"                     |
      | authors contributor, kinds 30023 or 1                         | "note", "article"          |
      | authors contributor or maintainer, kinds 1985 or 1617         | "patch", "label"           |
      | kinds 1, t red                                                | "note"                     |
      | authors contributor, kinds 0 or 3 or 5 or 7 or 6 or 1985      | "label"                    |
      | authors contributor, q =one                                   | "note"                     |
      | authors contributor, A =one                                   | "patch"                    |
      | ids note or label, limit 1                                    | "note", "label"            |
      | authors contributor, until label, limit 1                     | "note", "patch", "label"   |
      | authors contributor, t red, limit 20                          | "note", "patch", "label", "article", "data" |
      | authors contributor, d red                                    | "article", "data"          |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REQ-01.dressed @further
  Scenario Outline: <what> in every dress are found
    Given <what> of the contributor in every dress were sent
    Then queries by these filters hold what matches and nothing else:
      | filter                         | events      |
      | authors contributor            | all of them |
      | t dressed                      | all of them |
      | authors contributor, t dressed | all of them |

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @N01-REQ-01.live-dressed @further
  Scenario Outline: <what> in every dress come to who listens for them
    Given <what> of the contributor in every dress were signed
    And subscriptions by these filters are open:
      | filter              | events      |
      | authors contributor | all of them |
      | t dressed           | all of them |
    When those in every dress arrive
    Then each subscription gets exactly the events of its row

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  # Any single letter is a name to ask by.
  @N01-REQ-01.each-letter
  Scenario: tags of every letter are there to ask by
    Given these events were accepted:
      | name  | author      | kind | topic | shade | date | tags                                                                                                                                |
      | one   | contributor | 1621 | red   | warm  | 100  | [["b","1"],["c","1"],["f","1"],["g","1"],["h","1"],["i","1"],["j","1"],["k","1"],["m","1"],["n","1"],["o","1"],["r","1"]]            |
      | two   | contributor | 1621 | red   | warm  | 200  | [["s","2"],["u","2"],["v","2"],["w","2"],["x","2"],["y","2"],["z","2"],["G","2"],["I","2"],["K","2"],["N","2"],["R","2"],["X","2"]] |
      | three | contributor | 1621 | red   | warm  | 300  | [["r","2"],["x","1"],["K","1"],["k","2"]]                                                                                           |
    Then queries by these filters hold what matches and nothing else:
      | filter                          | events         |
      | authors contributor, b =1       | "one"          |
      | authors contributor, c =1       | "one"          |
      | authors contributor, f =1       | "one"          |
      | authors contributor, g =1       | "one"          |
      | authors contributor, h =1       | "one"          |
      | authors contributor, i =1       | "one"          |
      | authors contributor, j =1       | "one"          |
      | authors contributor, m =1       | "one"          |
      | authors contributor, n =1       | "one"          |
      | authors contributor, o =1       | "one"          |
      | authors contributor, s =2       | "two"          |
      | authors contributor, u =2       | "two"          |
      | authors contributor, v =2       | "two"          |
      | authors contributor, w =2       | "two"          |
      | authors contributor, y =2       | "two"          |
      | authors contributor, z =2       | "two"          |
      | authors contributor, G =2       | "two"          |
      | authors contributor, I =2       | "two"          |
      | authors contributor, N =2       | "two"          |
      | authors contributor, k =1       | "one"          |
      | authors contributor, k =2       | "three"        |
      | authors contributor, r =1       | "one"          |
      | authors contributor, r =2       | "three"        |
      | authors contributor, x =1       | "three"        |
      | authors contributor, x =2       | "two"          |
      | authors contributor, K =1       | "three"        |
      | authors contributor, R =2, X =2 | "two"          |
      | authors contributor, k =1 or =2 | "one", "three" |
      | authors contributor, k =1, r =1 | "one"          |
      | authors contributor, k =1, r =2 | nothing        |
      | authors contributor, g =2       | nothing        |

  @N01-REQ-01.live-each-letter
  Scenario: tags of every letter are there to listen by
    Given these events were signed:
      | name  | author      | kind | topic | shade | date | tags                                                                                                                                |
      | one   | contributor | 1621 | red   | warm  | 100  | [["b","1"],["c","1"],["f","1"],["g","1"],["h","1"],["i","1"],["j","1"],["k","1"],["m","1"],["n","1"],["o","1"],["r","1"]]            |
      | two   | contributor | 1621 | red   | warm  | 200  | [["s","2"],["u","2"],["v","2"],["w","2"],["x","2"],["y","2"],["z","2"],["G","2"],["I","2"],["K","2"],["N","2"],["R","2"],["X","2"]] |
      | three | contributor | 1621 | red   | warm  | 300  | [["r","2"],["x","1"],["K","1"],["k","2"]]                                                                                           |
    And subscriptions by these filters are open:
      | filter                          | events         |
      | authors contributor, b =1       | "one"          |
      | authors contributor, g =1       | "one"          |
      | authors contributor, i =1       | "one"          |
      | authors contributor, m =1       | "one"          |
      | authors contributor, s =2       | "two"          |
      | authors contributor, u =2       | "two"          |
      | authors contributor, z =2       | "two"          |
      | authors contributor, G =2       | "two"          |
      | authors contributor, k =1       | "one"          |
      | authors contributor, k =2       | "three"        |
      | authors contributor, r =2       | "three"        |
      | authors contributor, x =1       | "three"        |
      | authors contributor, x =2       | "two"          |
      | authors contributor, K =1       | "three"        |
      | authors contributor, R =2, X =2 | "two"          |
      | authors contributor, k =1 or =2 | "one", "three" |
      | authors contributor, k =1, r =1 | "one"          |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REQ-01.repeated @score:should
  Scenario: an event comes once however often a filter names what it has
    Given these events were accepted:
      | name   | author      | kind | topic | shade | date |
      | red    | contributor | 1621 | red   | warm  | 100  |
      | green  | contributor | 1621 | green | cold  | 200  |
    Then queries by these filters hold what matches and nothing else:
      | filter                                             | events         |
      | ids red or red                                     | "red"          |
      | ids red or green or red                            | "red", "green" |
      | authors contributor or contributor                 | "red", "green" |
      | kinds 1621 or 1621, authors contributor            | "red", "green" |
      | t red or red                                       | "red"          |
      | authors contributor, t red or green or red, l warm | "red"          |

  @N01-REQ-01.live-parts
  Scenario: every part of a filter counts for new events as well
    Given these events were signed:
      | name   | author      | kind | topic | shade | date |
      | red    | contributor | 1621 | red   | warm  | 100  |
      | green  | contributor | 1621 | green | cold  | 200  |
      | blue   | contributor | 1621 | blue  | cold  | 300  |
      | rose   | stranger    | 1621 | red   | cold  | 350  |
      | patch  | stranger    | 1617 | red   | warm  | 400  |
      | reply  | stranger    | 1111 | red   | red   | 500  |
      | answer | maintainer  | 1111 | red   | reply | 550  |
      | draft  | maintainer  | 1617 | green | cold  | 600  |
    And subscriptions by these filters are open:
      | filter                                                                  | events                                                              |
      | ids red or reply                                                        | "red", "reply"                                                      |
      | ids reply or red                                                        | "red", "reply"                                                      |
      | ids patch                                                               | "patch"                                                             |
      | ids red, kinds 1621                                                     | "red"                                                               |
      | ids red or patch, kinds 1617                                            | "patch"                                                             |
      | ids red, authors stranger                                               | nothing                                                             |
      | ids red or patch, authors stranger                                      | "patch"                                                             |
      | ids red or green, t green                                               | "green"                                                             |
      | ids red or green, since green                                           | "green"                                                             |
      | authors contributor or maintainer                                       | "red", "green", "blue", "answer", "draft"                           |
      | authors maintainer or contributor                                       | "red", "green", "blue", "answer", "draft"                           |
      | authors stranger or maintainer, kinds 1621                              | "rose"                                                              |
      | authors contributor, t red                                              | "red"                                                               |
      | authors stranger, t red                                                 | "rose", "patch"                                                     |
      | authors stranger, kinds 1111 or 1617                                    | "patch", "reply"                                                    |
      | authors stranger, kinds 1617 or 1111                                    | "patch", "reply"                                                    |
      | authors maintainer, kinds 1621                                          | nothing                                                             |
      | authors stranger, until patch                                           | "rose", "patch"                                                     |
      | authors stranger, since patch                                           | "patch", "reply"                                                    |
      | authors contributor, since green, until green                           | "green"                                                             |
      | authors contributor, since blue, until red                              | nothing                                                             |
      | authors contributor, until beyond                                       | "red", "green", "blue"                                              |
      | authors contributor, since beyond                                       | nothing                                                             |
      | kinds 1621 or 1617, t red                                               | "red", "rose", "patch"                                              |
      | kinds 1617 or 1621, t red                                               | "red", "rose", "patch"                                              |
      | kinds 1617, t red                                                       | "patch"                                                             |
      | kinds 1621, t red or green                                              | "red", "green", "rose"                                              |
      | kinds 1111, t red                                                       | nothing                                                             |
      | kinds 1621, l cold                                                      | "green", "blue", "rose"                                             |
      | kinds 1617, authors maintainer, t green, l cold, since red, until draft | "draft"                                                             |
      | t red or green                                                          | "red", "green", "rose", "patch", "draft"                            |
      | t green or red                                                          | "red", "green", "rose", "patch", "draft"                            |
      | t red or yellow                                                         | "red", "rose", "patch"                                              |
      | t yellow or red                                                         | "red", "rose", "patch"                                              |
      | t red, l warm                                                           | "red", "patch"                                                      |
      | t green or red, l cold                                                  | "green", "rose", "draft"                                            |
      | t red, l cold or warm                                                   | "red", "rose", "patch"                                              |
      | t yellow, l cold                                                        | nothing                                                             |
      | t red, l yellow                                                         | nothing                                                             |
      | t red, since rose                                                       | "rose", "patch"                                                     |
      | t red, until red                                                        | "red"                                                               |
      | E red                                                                   | "reply", "answer"                                                   |
      | e red                                                                   | "reply"                                                             |
      | E red, e reply                                                          | "answer"                                                            |
      | E reply                                                                 | nothing                                                             |
      | e reply                                                                 | "answer"                                                            |
      | ids red; t green                                                        | "red", "green", "draft"                                             |
      | t yellow; ids blue                                                      | "blue"                                                              |
      | ids blue; t yellow                                                      | "blue"                                                              |
      | ids red; ids green; ids patch                                           | "red", "green", "patch"                                             |
      | kinds 1617, t red; authors contributor, l cold                          | "green", "blue", "patch"                                            |
      | authors maintainer; t green                                             | "green", "answer", "draft"                                          |
      | authors contributor or maintainer, limit 1                              | "red", "green", "blue", "answer", "draft"                           |
      | kinds 1617 or 1111, limit 0                                             | "patch", "reply", "answer", "draft"                                 |
      | kinds 1111 or 1617, limit 0                                             | "patch", "reply", "answer", "draft"                                 |
      | kinds 1111, since reply, limit 0                                        | "reply", "answer"                                                   |
      | since reply, limit 0                                                    | "reply", "answer", "draft"                                          |
      | until red, authors contributor or stranger                              | "red"                                                               |
      | limit 0                                                                 | "red", "green", "blue", "rose", "patch", "reply", "answer", "draft" |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REQ-01.empty @score:should
  Scenario: an empty value of a tag is one to ask by
    Given the contributor posted issues with these tags:
      | name   | tags          |
      | red    | [["t","red"]] |
      | silent | [["t",""]]    |
    Then queries for the contributor's issues by these topics hold what matches and nothing else:
      | topic     | events   |
      | "{empty}" | "silent" |
      | "red"     | "red"    |

  @N01-REQ-01.values
  Scenario: a tag filter compares the first value of a tag, and the whole of it
    Given the contributor posted issues with these tags:
      | name    | tags                         |
      | red     | [["t","red"]]                |
      | capital | [["t","Red"]]                |
      | blank   | [["t","red "]]               |
      | behind  | [["t","blue","red"]]         |
      | second  | [["t","blue"],["t","red"]]   |
      | longer  | [["topic","red"]]            |
      | long    | [["t","{long}"]]             |
      | more    | [["t","{long}x"]]            |
      | wild    | [["t","r%"]]                 |
      | word    | [["t","__proto__"]]          |
      | seven   | [["t","7"]]                  |
      | zeros   | [["t","007"]]                |
      | power   | [["t","1e3"]]                |
    Then queries for the contributor's issues by these topics hold what matches and nothing else:
      | topic       | events             |
      | "red"       | "red", "second"    |
      | "Red"       | "capital"          |
      | "RED"       | nothing            |
      | "red "      | "blank"            |
      | " red"      | nothing            |
      | "blue"      | "behind", "second" |
      | "re"        | nothing            |
      | "r%"        | "wild"             |
      | "r_d"       | nothing            |
      | "r*"        | nothing            |
      | "__proto__" | "word"             |
      | "toString"  | nothing            |
      | "{long}"    | "long"             |
      | "{long}x"   | "more"             |
      | "{long}y"   | nothing            |
      | "red{nul}x" | nothing            |
      | "{empty}"   | nothing            |
      | "7"         | "seven"            |
      | "007"       | "zeros"            |
      | "7.0"       | nothing            |
      | "1e3"       | "power"            |
      | "1000"      | nothing            |

  @N01-REQ-01.far
  Scenario: what a query names behind many other things counts as well
    Given the contributor posted the issue "red"
    Then queries that name many others before it bring the issue "red"

  @N01-REQ-01.far-thread
  Scenario: the threads that a query names behind many others count as well
    Given the contributor posted the issue "red"
    And the stranger posted a comment "answer" on the issue "red"
    Then queries that name many others before it bring the comment "answer"

  @N01-REQ-01.far-live
  Scenario: what a subscription names behind many other things counts as well
    Given these events were signed:
      | name | author      | kind | topic | shade | date |
      | red  | contributor | 1621 | red   | warm  | 100  |
    And subscriptions that name 149 others before it are open for the issue "red"
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  # What others have posted may come as well, and what is older may be cut off.
  @N01-REQ-01.broad
  Scenario: a query by next to nothing leaves out nothing newer than what it brings
    Given the contributor posted the issue "red"
    Then queries by a limit alone, and by nothing, leave out nothing newer than what they bring

  @N01-REQ-01.many
  Scenario: a subscription gets every one of many events
    Given a subscription for the contributor's issues is open
    When the contributor posts 110 issues
    Then the subscription gets all of these issues

  @N01-REQ-01.lasting @wait:12m
  Scenario: a subscription does not end without a word
    Given a subscription for the contributor's issues is open
    When 12 minutes pass on the open connection
    Then the subscription gets the issue "late", or the relay has ended it

  @N01-REQ-01.left
  Scenario: who leaves without a word keeps nothing from others
    Then 3 issues of the contributor come to all who listen, though some beside them have left without a word

  @N01-REQ-01.behind
  Scenario Outline: a subscription goes on behind <what> on its connection
    Given a subscription for the contributor's issues is open
    When <happens>
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

    Examples:
      | id       | what                                     | happens                                                         |
      | refused  | an event that is refused                 | an issue by the stranger on an unknown repository is answered |
      | nonsense | nonsense                                 | a client sends nonsense on that connection                      |
      | nothing  | the end of one that is not open          | a client ends a subscription that is not open                   |

  @N01-REQ-01.live
  Scenario: an open subscription gets new events that match and no others
    Given a subscription for the contributor's issues is open
    When the stranger posted the issue "other"
    And the contributor posts the issue "mine"
    Then the subscription gets exactly "mine"

  @N01-REQ-02
  Scenario: a limit takes the newest events
    Given the contributor posted the issue "old" dated 100
    And the contributor posted the issue "new" dated 300
    And the contributor posted the issue "middle" dated 200
    When a client asks for the contributor's issues with limit 2
    Then the query holds, in this order, "new", "middle"

  @N01-REQ-02.ties
  Scenario: among events of one time a limit takes the lowest ids
    Given the contributor posted 5 issues of one time
    When a client asks for the contributor's issues with limit 3
    Then the query holds the 3 of the lowest ids in their order

  @N01-REQ-02.zero
  Scenario: a limit of 0 asks for live events only
    Given the contributor posted the issue "stored"
    When a subscription for the contributor's issues is opened with limit 0
    And the contributor posts the issue "live"
    Then the subscription began with nothing
    And the subscription gets exactly "live"

  @N01-REQ-02.each
  Scenario: each filter of a query has a limit of its own
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
    Then queries by these filters hold the newest of each and nothing else:
      | filter                                                                      | events                     |
      | authors contributor, limit 1; authors maintainer                            | "blue", "answer", "draft"  |
      | authors maintainer; authors contributor, limit 1                            | "blue", "answer", "draft"  |
      | authors contributor, limit 1; authors maintainer, limit 1                   | "blue", "draft"            |
      | authors maintainer, limit 1; authors stranger, limit 2                      | "patch", "reply", "draft"  |
      | ids red; authors maintainer, limit 1                                        | "red", "draft"             |
      | authors contributor, limit 1; authors contributor, until green, limit 1     | "green", "blue"            |
      | authors contributor, since red, limit 1                                     | "blue"                     |
      | authors contributor, since red, limit 2                                     | "green", "blue"            |
      | authors contributor, since red, until green, limit 1                        | "green"                    |
      | t red, since red, limit 2                                                   | "rose", "patch"            |
      | authors contributor, t red, limit 1; authors stranger, kinds 1111, limit 1  | "red", "reply"             |
      | authors contributor, limit 0; authors maintainer                            | "answer", "draft"          |
      | authors maintainer; authors contributor, limit 0                            | "answer", "draft"          |

  @N01-REQ-02.waiting
  Scenario: what waits takes no place among the newest that are asked for
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    And the owner announced the repository "two"
    Then a query for the newest announcement of the owner brings one
    And a query for the two newest events of the owner brings two

  @N01-REQ-03
  Scenario: a subscription id that is used again replaces the subscription
    Given a subscription for the contributor's issues is open
    When the subscription is replaced by one for the stranger's issues
    And the contributor posted the issue "before"
    And the stranger posts the issue "after"
    Then the subscription gets exactly "after"

  @N01-REQ-03.stored
  Scenario: what takes the place of a subscription begins with what is stored
    Given the stranger posted the issue "old"
    And the stranger posted the issue "young"
    And a subscription for the contributor's issues is open
    When the subscription is replaced by one for the stranger's issues
    Then the subscription began with "old", "young"

  @N01-REQ-03.again
  Scenario: what takes the place of a subscription for the same brings what that has brought
    Given the contributor posted the issue "old"
    And the contributor posted the issue "young"
    And a subscription for the contributor's issues is open
    When the subscription is replaced by one for the contributor's issues
    Then the subscription began with "old", "young"

  @N01-REQ-03.again-closed
  Scenario: an id whose subscription was closed brings what that has brought
    Given the contributor posted the issue "old"
    And the contributor posted the issue "young"
    And a subscription for the contributor's issues is open
    When the subscription is closed
    And a subscription for the contributor's issues is opened under the id that was closed
    Then the subscription began with "old", "young"

  @N01-REQ-03.others
  Scenario: what takes the place of a subscription is all that counts from then on
    Given these events were signed:
      | name   | author      | kind | topic | shade | date |
      | red    | contributor | 1621 | red   | warm  | 100  |
      | green  | contributor | 1621 | green | cold  | 200  |
      | blue   | contributor | 1621 | blue  | cold  | 300  |
      | rose   | stranger    | 1621 | red   | cold  | 350  |
      | patch  | stranger    | 1617 | red   | warm  | 400  |
      | reply  | stranger    | 1111 | red   | red   | 500  |
      | answer | maintainer  | 1111 | red   | reply | 550  |
      | draft  | maintainer  | 1617 | green | cold  | 600  |
    And subscriptions by these filters are open:
      | first                           | filter                          | events                                   |
      | kinds 1617, t red               | authors contributor             | "red", "green", "blue"                   |
      | authors contributor             | kinds 1617, t red               | "patch"                                  |
      | ids red                         | t green                         | "green", "draft"                         |
      | t green                         | ids red                         | "red"                                    |
      | t green                         | kinds 1621, authors stranger    | "rose"                                   |
      | kinds 1617 or 1111, limit 0     | ids red                         | "red"                                    |
      | limit 0                         | ids green                       | "green"                                  |
      | ids green                       | authors stranger, limit 0       | "rose", "patch", "reply"                 |
      | ids red                         | ids blue; t green               | "green", "blue", "draft"                 |
      | ids red; t green                | ids blue                        | "blue"                                   |
      | ids red; t green                | ids red                         | "red"                                    |
      | ids red                         | ids red; t green                | "red", "green", "draft"                  |
      | authors contributor             | authors contributor, since blue | "blue"                                   |
      | authors contributor, since blue | authors contributor             | "red", "green", "blue"                   |
      | authors contributor             | authors contributor, until red  | "red"                                    |
      | authors contributor             | authors contributor, limit 0    | "red", "green", "blue"                   |
      | t red                           | t green                         | "green", "draft"                         |
      | t red or green                  | t green                         | "green", "draft"                         |
      | t green                         | t red or green                  | "red", "green", "rose", "patch", "draft" |
      | kinds 1621, t red               | kinds 1617, t red               | "patch"                                  |
      | kinds 1621 or 1617, t red       | kinds 1617, t red               | "patch"                                  |
      | E red                           | e red                           | "reply"                                  |
      | authors contributor or stranger | authors contributor             | "red", "green", "blue"                   |
      | t red, l warm                   | t red                           | "red", "rose", "patch"                   |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REQ-03.close
  Scenario: CLOSE ends a subscription
    Given a subscription for the contributor's issues is open
    When the subscription is closed
    And the contributor posts the issue "late"
    Then the closed subscription gets nothing

  @N01-REQ-03.apart
  Scenario Outline: a subscription is that of its connection, whoever else has one of that id and <does>
    Given a subscription for the contributor's issues is open
    And another client has a subscription for the stranger's issues under the same id
    When the other client <does>
    And the stranger posted the issue "other"
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

    Examples:
      | id     | does                    |
      | stays  | goes on listening       |
      | closes | closes its subscription |
      | leaves | leaves                  |

  @N01-REQ-03.closes
  Scenario: closing a subscription leaves those whose ids are like its own
    When a client connects to the relay
    Then closing a subscription for the contributor's issues leaves those whose ids are like its own

  @N01-REQ-03.reopened
  Scenario: an id can be used again when its subscription was closed
    Given a subscription for the contributor's issues is open
    When the subscription is closed
    And a subscription for the contributor's issues is opened under the id that was closed
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N01-REQ-03.alike
  Scenario Outline: subscriptions of two ids are two, though the ids differ <how>
    Given subscriptions for the contributor's issues are open under ids that differ <how>
    When the contributor posts the issue "seen"
    Then each of them gets exactly "seen"

    Examples:
      | id    | how                  |
      | case  | in case alone        |
      | end   | at their ends alone  |
      | blank | by a blank alone     |
      | words | and mean something to programs |

  @N01-REQ-03.long
  Scenario: a subscription id of 64 characters is usable
    When a subscription with an id of 64 characters is opened
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N01-REQ-03.letters @score:should
  Scenario: a subscription id of 64 characters that are not ASCII is usable
    When a subscription with an id of 64 characters beyond ASCII is opened
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N01-REP-01
  Scenario Outline: of two versions the newer one is kept when they arrive <order>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner's announcement <one> and then <other> arrive
    Then the announcement "newer" is served
    And the announcement "older" is not served any more

    Examples:
      | id       | order          | one               | other             |
      | upward   | in order       | "older" dated 200 | "newer" dated 300 |
      | downward | in wrong order | "newer" dated 300 | "older" dated 200 |

  @N01-REP-01.ties
  Scenario Outline: of two versions of one time the one of the lowest id is kept, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When two versions of the owner's announcement of one time arrive, the <order> id first
    Then only the version with the lower id is served

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @N01-REP-01.live @score:should
  Scenario: a version that comes behind a newer one is sent to nobody who listens
    Given the contributor published an article "newer" dated 300
    When the contributor publishes an article "older" dated 200
    Then the event "older" is not served
    And the event "newer" is served

  @N01-REP-02.ties
  Scenario Outline: of two versions of a <sort> event of one time the one of the lowest id is kept, the <order> one first
    When two events of kind <kind> by the contributor of one time arrive, the <order> id first
    Then the event "lower" is served
    And the event "higher" is not served any more

    Examples:
      | id       | sort        | kind  | order  |
      | lower    | replaceable | 10317 | lower  |
      | higher   | replaceable | 10317 | higher |
      | article  | addressable | 30023 | lower  |
      | articles | addressable | 30023 | higher |

  @N01-REP-02
  Scenario Outline: of two versions of a replaceable event the newer one is kept when they arrive <order>
    When the contributor publishes an event of kind 10317 <one> with content of 0 bytes
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 10317 <other> with content of 0 bytes
    Then the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id       | order          | one               | other             |
      | upward   | in order       | "older" dated 200 | "newer" dated 300 |
      | downward | in wrong order | "newer" dated 300 | "older" dated 200 |
