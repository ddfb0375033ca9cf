Feature: Order
  What a filter brings is one list, newest first, whatever number of values it has. Of several filters a server may make one list, or
  answer one behind another: a limit, and the order that comes with it, are words of one filter.

  @N01-REQ-02.several
  Scenario Outline: a limit of <limit> takes the newest of <query>
    Given the contributor posted the issue "one" dated 100
    And the stranger posted the issue "two" dated 200
    And the contributor posted the issue "three" dated 300
    And the stranger posted the issue "four" dated 400
    And the contributor posted a comment "five" on the issue "four" dated 500
    When a client asks for <query> with limit <limit>
    Then the query holds, in this order, <events>

    Examples:
      | id        | query                           | limit | events                                |
      | authors   | the issues of two authors       | 2     | "four", "three"                       |
      | newest    | the issues of two authors       | 1     | "four"                                |
      | more      | the issues of two authors       | 3     | "four", "three", "two"                |
      | all       | what two authors sent           | 4     | "five", "four", "three", "two"        |
      | kinds     | two kinds                       | 3     | "five", "four", "three"               |
      | topics    | two topics                      | 3     | "four", "three", "two"                |
      | ids       | two ids                         | 2     | "four", "two"                         |
      | whole     | two ids                         | 9     | "four", "two", "one"                  |

  @N01-REQ-02.ties-apart
  Scenario: among events of one time a limit takes the lowest ids, whoever wrote them
    Given the contributor and the stranger posted 8 issues of one time, by turns
    When a client asks for the issues of two authors with limit 5
    Then the query holds the 5 of the lowest ids in their order

  @N01-REQ-02.filters @score:should
  Scenario Outline: of <query> each comes newest first
    Given the contributor posted the issue "one" dated 100
    And the stranger posted the issue "two" dated 200
    And the contributor posted the issue "three" dated 300
    And the stranger posted the issue "four" dated 400
    And the contributor posted a comment "five" on the issue "four" dated 500
    When a client asks for <query> with limit <limit>
    Then the query holds <events>, newest first for each filter

    Examples:
      | id      | query                           | limit | events                                |
      | apart   | what two filters bring          | 2     | "five", "four", "three", "two"        |
      | overlap | what filters bring that overlap | 2     | "five", "four", "three", "two"        |

  @N01-REQ-02.many
  Scenario Outline: a limit of <limit> takes the newest of what many <values> bring, in whatever order they are named
    Given the contributor posted the issue "five" dated 500
    And the stranger posted the issue "two" dated 200
    And the contributor posted the issue "eight" dated 800
    And the contributor posted the issue "one" dated 100
    And the stranger posted the issue "seven" dated 700
    And the contributor posted the issue "four" dated 400
    And the stranger posted the issue "six" dated 600
    And the contributor posted the issue "three" dated 300
    When a client asks for what many <values> bring with limit <limit>
    Then the query holds, in this order, <events>

    Examples:
      | id     | values | limit | events                                                           |
      | ids    | ids    | 6     | "eight", "seven", "six", "five", "four", "three"                 |
      | topics | topics | 7     | "eight", "seven", "six", "five", "four", "three", "two"          |

  @N01-REQ-02.pages @hostile
  Scenario: who scrolls back through many events gets each, newest first
    Given the contributor posted up to 600 issues
    Then the contributor's issues come newest first by pages of 50

  @N01-REQ-01.several
  Scenario Outline: <query> brings each event once
    Given the contributor posted the issue "twice" with its topic and its label twice
    When a client asks for all of <query>
    Then the query holds exactly "twice"

    Examples:
      | id     | query                       |
      | tag    | the topic that stands twice |
      | values | two labels of one issue     |

  @N01-REQ-01.letters
  Scenario: an event is found by its tags of one letter, and by no tag of a longer name
    When the contributor publishes an event of kind 1621 with the tags:
      | ["a","{lighthouse}"]      |
      | ["z","{identifier}-last"]  |
      | ["A","{identifier}-upper"] |
      | ["Z","{identifier}-end"]   |
      | ["b","{identifier}-b"]     |
      | ["topic","{identifier}-t"] |
      | ["zz","{identifier}-zz"]   |
      | ["","{identifier}-no"]     |
    Then the event is accepted
    And the event is found by its tags of one letter alone

  @N01-REQ-01.overlap @score:should
  Scenario: an event that several filters match comes once
    Given the contributor posted the issue "one" dated 100
    And the stranger posted the issue "two" dated 200
    When a client asks for all of what filters bring that overlap
    Then the query holds exactly "one", "two"

  # As of what is stored, NIP-01 says of new events that they match any of the filters, and not how often they come.
  @N01-REQ-01.live-overlap @score:should
  Scenario: a new event that several filters of a subscription match comes once
    Given a subscription by filters that overlap is open for the contributor's issues
    When the contributor posted the issue "one"
    And the contributor posts the issue "two"
    Then the subscription gets exactly "one", "two"

  @N01-REQ-01.twofold-deleted
  Scenario: an event with a tag that stands twice is gone whole when it is deleted
    Given the contributor posted the issue "twice" with its topic and its label twice
    And the contributor's request to delete the issue "twice" is taken
    And the issue "twice" is not served any more
    When a client asks for all of the topic that stands twice
    Then the query holds exactly nothing

  @N01-REQ-01.connection
  Scenario: every subscription of a connection gets what it asks for
    Given 5 subscriptions for the contributor's issues are open on one connection
    When the stranger posted the issue "other"
    And the contributor posts the issue "mine"
    Then each of the 5 subscriptions gets exactly "mine"

  @N01-REQ-03.middle
  Scenario: CLOSE ends the subscription that it names and no other
    Given 5 subscriptions for the contributor's issues are open on one connection
    When the subscription 4 of them is closed
    And the contributor posts the issue "late"
    Then the closed subscription gets nothing
    And each of the 4 subscriptions gets exactly "late"

  @N01-REQ-03.full
  Scenario: an id that is in use can be used again where no further one is taken
    Then where a connection has as many subscriptions as it may, one of them is replaced all the same

  @N01-REQ-03.often
  Scenario Outline: subscriptions that are <over> do not count among those that are open
    Given the contributor posted the issue "one"
    Then a connection whose subscriptions are <over> one by one opens as many as it likes

    Examples:
      | id       | over     |
      | replaced | replaced |
      | closed   | closed   |

  @N01-REP-02.edges
  Scenario Outline: of two events of kind <kind> the newer one is kept
    When the contributor publishes an event of kind <kind> "older" dated 200 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "older" is served
    When the contributor publishes an event of kind <kind> "newer" dated 300 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id       | kind  |
      | first    | 10000 |
      | last     | 19999 |
      | profile  | 0     |
      | contacts | 3     |

  @N01-REP-02.identifiers
  Scenario Outline: of two events of kind <kind> the newer one is kept, whatever identifiers they name: <how>
    When the contributor publishes an event of kind <kind> "older" dated 200 with the tags:
      | ["d","<older>"]      |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "older" is served
    When the contributor publishes an event of kind <kind> "newer" dated 300 with the tags:
      | ["<tag>","<newer>"]  |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id      | how          | kind  | older | tag | newer |
      | list    | two of them  | 10317 | x     | d   | y     |
      | profile | of a profile | 0     | x     | d   | y     |
      | without | one of them  | 10317 | x     | t   | y     |

  @N01-REP-01.dressed @further
  Scenario: of articles in every dress the newest version is served
    Given articles of the contributor in every dress were sent
    When a further version of each of them arrives
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |
    And none of their former versions is served any more

  @N01-REP-01.edges
  Scenario Outline: of events of kind <kind> the newer one of an identifier is kept
    When the contributor publishes an event of kind <kind> "older" dated 200 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "older" is served
    When the contributor publishes an event of kind <kind> "other" dated 250 with the tags:
      | ["d","y"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    When the contributor publishes an event of kind <kind> "newer" dated 300 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "other" is served
    And the event "older" is not served any more

    Examples:
      | id    | kind  |
      | first | 30000 |
      | last  | 39999 |

  @N01-REP-01.beside
  Scenario Outline: a newer version of an identifier leaves a <form> one alone
    When the contributor publishes an event of kind 30023 "beside" dated 150 with the tags:
      | ["d","<beside>"]     |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 30023 "older" dated 200 with the tags:
      | ["d","<own>"]        |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "older" is served
    And the event "beside" is served
    When the contributor publishes an event of kind 30023 "newer" dated 300 with the tags:
      | ["d","<own>"]        |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "beside" is served
    And the event "older" is not served any more

    Examples:
      | id      | form    | own   | beside |
      | longer  | longer  | page  | page2  |
      | shorter | shorter | page2 | page   |
      | capital | similar | page  | Page   |

  @N01-REP-01.alike @further
  Scenario Outline: articles under identifiers that differ in <what> alone are versions of nothing but themselves
    Given articles of the contributor under identifiers that differ in <what> alone were sent
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |
    When a further version of each of them arrives
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |
    And none of their former versions is served any more

    Examples:
      | id      | what    |
      | signs   | signs   |
      | letters | letters |

  @N01-REP-01.unnamed
  Scenario: of an event without an identifier the newest version alone is served
    When the contributor publishes an event of kind 30023 "one" dated 100 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 30023 "two" dated 200 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "two" is served
    And the event "one" is not served any more
    When the contributor publishes an event of kind 30023 "three" dated 300 with the tags:
      | ["d"]                |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "two" is not served any more

  @N01-REP-01.nothing
  Scenario: an event without an identifier takes the place of none that is called by a word for nothing
    When the contributor publishes an event of kind 30023 "undefined" dated 150 with the tags:
      | ["d","undefined"]    |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 30023 "null" dated 150 with the tags:
      | ["d","null"]         |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    When the contributor publishes an event of kind 30023 "none" dated 150 with the tags:
      | ["d","None"]         |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "undefined" is served
    And the event "null" is served
    When the contributor publishes an event of kind 30023 "nothing" dated 300 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "undefined" is still served
    And the event "null" is still served
    And the event "none" is still served

  @N01-EV-01.regular
  Scenario Outline: of two events of kind <kind> both are kept
    When the contributor publishes an event of kind <kind> "older" dated 200 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind <kind> "newer" dated 300 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "older" is served

    Examples:
      | id     | kind  |
      | notes  | 1     |
      | two    | 2     |
      | four   | 4     |
      | before | 9999  |

  @N01-EV-01.undefined
  Scenario Outline: of two events of kind <kind>, which is in no range of kinds, the newer one is served
    When the contributor publishes an event of kind <kind> dated 200 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind <kind> dated 300 with the tags:
      | ["d","x"]            |
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event is served

    Examples:
      | id     | kind  |
      | behind | 40000 |
      | last   | 65535 |

  @N01-EPH-01.edges
  Scenario Outline: an event of kind <kind> is ephemeral
    When the contributor publishes an event of kind <kind> naming the lighthouse by a
    Then the event is answered without a failure
    And the event is not served any more

    Examples:
      | id    | kind  |
      | first | 20000 |
      | last  | 29999 |
