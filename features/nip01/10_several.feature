Feature: Several tags of a name
  An event may have several tags of a name, and a filter asks for any of them, by their whole values.

  @N01-REQ-01.tags
  Scenario: a query compares every tag of an event, and the whole of it
    Given these events were accepted:
      | name    | author      | kind | topic          | shade         | date |
      | red     | contributor | 1621 | red            | warm          | 100  |
      | two     | contributor | 1621 | blue+red       | cold+warm     | 200  |
      | three   | stranger    | 1621 | green+blue+red | dim+cold+warm | 250  |
      | capital | contributor | 1621 | Red            | Warm          | 300  |
      | longer  | contributor | 1621 | redder         | warmer        | 350  |
      | answer  | maintainer  | 1111 | red            | two           | 400  |
    Then queries by these filters hold what matches and nothing else:
      | filter                               | events                           |
      | t red                                | "red", "two", "three"            |
      | t blue                               | "two", "three"                   |
      | t green                              | "three"                          |
      | t Red                                | "capital"                        |
      | t RED                                | nothing                          |
      | t redder                             | "longer"                         |
      | t redd                               | nothing                          |
      | t re                                 | nothing                          |
      | t Red or redder                      | "capital", "longer"              |
      | t yellow or red                      | "red", "two", "three"            |
      | l warm                               | "red", "two", "three"            |
      | l Warm                               | "capital"                        |
      | l warmer                             | "longer"                         |
      | t red, l warm                        | "red", "two", "three"            |
      | t blue, l warm                       | "two", "three"                   |
      | t red, l cold                        | "two", "three"                   |
      | t red, l dim                         | "three"                          |
      | authors contributor, t red           | "red", "two"                     |
      | authors contributor, t red, l cold   | "two"                            |
      | kinds 1621, t blue                   | "two", "three"                   |
      | kinds 1621, t red, since two         | "two", "three"                   |
      | ids two or three, t red              | "two", "three"                   |
      | t blue, until two                    | "two"                            |
      | T red                                | nothing                          |
      | L warm                               | nothing                          |
      | E red                                | "answer"                         |
      | e two                                | "answer"                         |
      | e red                                | nothing                          |
      | E two                                | nothing                          |
      | authors maintainer, p contributor    | "answer"                         |
      | authors maintainer, P contributor    | "answer"                         |
      | t red; t green                       | "red", "two", "three"            |
      | t blue; l Warm                       | "two", "three", "capital"        |

  @N01-REQ-01.live-tags
  Scenario: every tag of a new event counts, and the whole of it
    Given these events were signed:
      | name    | author      | kind | topic          | shade         | date |
      | red     | contributor | 1621 | red            | warm          | 100  |
      | two     | contributor | 1621 | blue+red       | cold+warm     | 200  |
      | three   | stranger    | 1621 | green+blue+red | dim+cold+warm | 250  |
      | capital | contributor | 1621 | Red            | Warm          | 300  |
      | longer  | contributor | 1621 | redder         | warmer        | 350  |
      | answer  | maintainer  | 1111 | red            | two           | 400  |
    And subscriptions by these filters are open:
      | filter                               | events                           |
      | t red                                | "red", "two", "three"            |
      | t blue                               | "two", "three"                   |
      | t green                              | "three"                          |
      | t Red                                | "capital"                        |
      | t RED                                | nothing                          |
      | t redder                             | "longer"                         |
      | t redd                               | nothing                          |
      | t re                                 | nothing                          |
      | t Red or redder                      | "capital", "longer"              |
      | t yellow or red                      | "red", "two", "three"            |
      | l warm                               | "red", "two", "three"            |
      | l Warm                               | "capital"                        |
      | l warmer                             | "longer"                         |
      | t red, l warm                        | "red", "two", "three"            |
      | t blue, l warm                       | "two", "three"                   |
      | t red, l cold                        | "two", "three"                   |
      | t red, l dim                         | "three"                          |
      | authors contributor, t red           | "red", "two"                     |
      | authors contributor, t red, l cold   | "two"                            |
      | kinds 1621, t blue                   | "two", "three"                   |
      | kinds 1621, t red, since two         | "two", "three"                   |
      | ids two or three, t red              | "two", "three"                   |
      | t blue, until two                    | "two"                            |
      | T red                                | nothing                          |
      | L warm                               | nothing                          |
      | E red                                | "answer"                         |
      | e two                                | "answer"                         |
      | e red                                | nothing                          |
      | E two                                | nothing                          |
      | authors maintainer, p contributor    | "answer"                         |
      | authors maintainer, P contributor    | "answer"                         |
      | t red; t green                       | "red", "two", "three"            |
      | t blue; l Warm                       | "two", "three", "capital"        |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REQ-01.tags-beside
  Scenario: a query compares the first value of a tag, beside other things that it names, too
    Given these events were accepted:
      | name   | author      | kind | topic | shade | date | tags                                     |
      | behind | contributor | 1621 | blue  | warm  | 100  | [["r","head","tail"],["t","plum","red"]] |
      | plain  | contributor | 1621 | green | warm  | 200  | [["r","tail","other"]]                   |
    Then queries by these filters hold what matches and nothing else:
      | filter                                   | events            |
      | ids behind, r =tail                      | nothing           |
      | ids behind, t =red                       | nothing           |
      | authors contributor, r =tail             | "plain"           |
      | authors contributor, r =other            | nothing           |
      | authors contributor, r =tail or =head    | "behind", "plain" |
      | authors contributor, kinds 1621, r =tail | "plain"           |
      | kinds 1621, r =head, t blue              | "behind"          |
      | kinds 1621, r =tail, t blue              | nothing           |

  @N01-REQ-01.live-tags-beside
  Scenario: the first value of a tag of a new event counts, beside other things that are named, too
    Given these events were signed:
      | name   | author      | kind | topic | shade | date | tags                                     |
      | behind | contributor | 1621 | blue  | warm  | 100  | [["r","head","tail"],["t","plum","red"]] |
      | plain  | contributor | 1621 | green | warm  | 200  | [["r","tail","other"]]                   |
    And subscriptions by these filters are open:
      | filter                                   | events            |
      | ids behind, r =tail                      | nothing           |
      | ids behind, t =red                       | nothing           |
      | authors contributor, r =tail             | "plain"           |
      | authors contributor, r =other            | nothing           |
      | authors contributor, r =tail or =head    | "behind", "plain" |
      | authors contributor, kinds 1621, r =tail | "plain"           |
      | kinds 1621, r =head, t blue              | "behind"          |
      | kinds 1621, r =tail, t blue              | nothing           |
    When the signed events arrive
    Then each subscription gets exactly the events of its row

  @N01-REP-01.tags
  Scenario: a version that was replaced is found by none of its tags of one letter
    Given the events of the check have a time of their own
    And these events were accepted:
      | name | author      | kind  | topic | shade         | date |
      | old  | contributor | 30023 | red   | cold+warm+dim | 100  |
      | new  | contributor | 30023 | red   | plain         | 200  |
    Then the issue "new" is still served
    And no query brings the issue "old" any more

  @N01-CNT-01.tags @needs:nip=45
  Scenario: a count compares every tag of an event, and the whole of it
    Given these events were accepted:
      | name    | author      | kind | topic          | shade         | date |
      | red     | contributor | 1621 | red            | warm          | 100  |
      | two     | contributor | 1621 | blue+red       | cold+warm     | 200  |
      | three   | stranger    | 1621 | green+blue+red | dim+cold+warm | 250  |
      | capital | contributor | 1621 | Red            | Warm          | 300  |
      | longer  | contributor | 1621 | redder         | warmer        | 350  |
      | answer  | maintainer  | 1111 | red            | two           | 400  |
    Then counts by these filters are of what matches and nothing else:
      | filter                               | events                           |
      | t red                                | "red", "two", "three"            |
      | t blue                               | "two", "three"                   |
      | t green                              | "three"                          |
      | t Red                                | "capital"                        |
      | t RED                                | nothing                          |
      | t redder                             | "longer"                         |
      | t redd                               | nothing                          |
      | t re                                 | nothing                          |
      | t Red or redder                      | "capital", "longer"              |
      | t yellow or red                      | "red", "two", "three"            |
      | l warm                               | "red", "two", "three"            |
      | l Warm                               | "capital"                        |
      | l warmer                             | "longer"                         |
      | t red, l warm                        | "red", "two", "three"            |
      | t blue, l warm                       | "two", "three"                   |
      | t red, l cold                        | "two", "three"                   |
      | t red, l dim                         | "three"                          |
      | authors contributor, t red           | "red", "two"                     |
      | authors contributor, t red, l cold   | "two"                            |
      | kinds 1621, t blue                   | "two", "three"                   |
      | kinds 1621, t red, since two         | "two", "three"                   |
      | ids two or three, t red              | "two", "three"                   |
      | t blue, until two                    | "two"                            |
      | T red                                | nothing                          |
      | L warm                               | nothing                          |
      | E red                                | "answer"                         |
      | e two                                | "answer"                         |
      | e red                                | nothing                          |
      | E two                                | nothing                          |
      | authors maintainer, p contributor    | "answer"                         |
      | authors maintainer, P contributor    | "answer"                         |
      | t red; t green                       | "red", "two", "three"            |
      | t blue; l Warm                       | "two", "three", "capital"        |

  @N77-01.tags @needs:nip=77
  Scenario: a reconciliation compares every tag of an event, and the whole of it
    Given these events were accepted:
      | name    | author      | kind | topic          | shade         | date |
      | red     | contributor | 1621 | red            | warm          | 100  |
      | two     | contributor | 1621 | blue+red       | cold+warm     | 200  |
      | three   | stranger    | 1621 | green+blue+red | dim+cold+warm | 250  |
      | capital | contributor | 1621 | Red            | Warm          | 300  |
      | longer  | contributor | 1621 | redder         | warmer        | 350  |
      | answer  | maintainer  | 1111 | red            | two           | 400  |
    Then reconciliations by these filters hold what matches and nothing else:
      | filter                               | events                           |
      | t red                                | "red", "two", "three"            |
      | t blue                               | "two", "three"                   |
      | t green                              | "three"                          |
      | t Red                                | "capital"                        |
      | t RED                                | nothing                          |
      | t redder                             | "longer"                         |
      | t redd                               | nothing                          |
      | t re                                 | nothing                          |
      | t Red or redder                      | "capital", "longer"              |
      | t yellow or red                      | "red", "two", "three"            |
      | l warm                               | "red", "two", "three"            |
      | l Warm                               | "capital"                        |
      | l warmer                             | "longer"                         |
      | t red, l warm                        | "red", "two", "three"            |
      | t blue, l warm                       | "two", "three"                   |
      | t red, l cold                        | "two", "three"                   |
      | t red, l dim                         | "three"                          |
      | authors contributor, t red           | "red", "two"                     |
      | authors contributor, t red, l cold   | "two"                            |
      | kinds 1621, t blue                   | "two", "three"                   |
      | kinds 1621, t red, since two         | "two", "three"                   |
      | ids two or three, t red              | "two", "three"                   |
      | t blue, until two                    | "two"                            |
      | T red                                | nothing                          |
      | L warm                               | nothing                          |
      | E red                                | "answer"                         |
      | e two                                | "answer"                         |
      | e red                                | nothing                          |
      | E two                                | nothing                          |
      | authors maintainer, p contributor    | "answer"                         |
      | authors maintainer, P contributor    | "answer"                         |
