Feature: Events
  Clients publish by WebSocket at the root of the service and get an answer to each event.

  @N01-WS-01 @read-only
  Scenario: a relay answers at the root
    When a client connects to the relay
    Then the relay answers a query

  @N01-EV-01
  Scenario: a valid event is answered with OK true
    When the contributor posts an issue
    Then the event is accepted
    And the event is served

  @N01-EV-01.refused @score:should
  Scenario: a refused event is answered with OK false and a machine-readable reason
    When the contributor posts a malformed issue with a wrong signature
    Then the malformed event is refused
    And the refusal has a machine-readable prefix
    But the well-formed issue is accepted

  @N01-EV-02
  Scenario Outline: an event with <fault> is refused
    When the contributor posts a malformed issue with <fault>
    Then the malformed event is refused
    And nothing by the contributor is served
    But the well-formed issue is accepted

    Examples:
      | id          | fault                     |
      | signature   | a wrong signature         |
      | event-id    | a wrong id                |
      | content     | changed content           |
      | short-sig   | a signature cut short     |
      | short-key   | a public key cut short    |
      | upper-case  | an id in upper case       |
      | negative    | a negative kind           |
      | fraction    | a fractional kind         |
      | tags-flat   | tags that are no lists    |
      | tags-number | a number inside a tag     |

  @N01-EV-02.announcement
  Scenario: an announcement that is not what it says makes no repository
    When the owner publishes an announcement of the repository in every spoilt form
    Then each of them is refused
    And it has had no consequence
    But the event as it was signed is accepted and has its consequence

  @N01-EV-02.state
  Scenario: a state that is not what it says authorizes nothing
    Given the owner announced the repository
    When the owner publishes a state in every spoilt form
    Then each of them is refused
    And it has had no consequence
    But the event as it was signed is accepted and has its consequence

  @N01-EV-02.served
  Scenario Outline: <event> that is not what it says changes nothing of a served repository
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the <actor> publishes <event> in every spoilt form
    Then each of them is refused
    And it has had no consequence
    But the event as it was signed is accepted and has its consequence

    Examples:
      | id           | actor       | event                                            |
      | announcement | owner       | a newer announcement naming the stranger         |
      | state        | owner       | a state of what is there                         |
      | pull-request | contributor | a pull request                                   |
      | update       | contributor | an update                                        |
      | removal      | owner       | a deletion request for the announcement by address |
      | withdrawal   | owner       | a deletion request for the state by id           |

  @N01-EV-02.deletion
  Scenario Outline: a deletion request that is not what it says deletes nothing by <way>
    Given the contributor <made>
    When the contributor publishes a deletion request for the <what> by <way> in every spoilt form
    Then each of them is refused
    And it has had no consequence
    But the event as it was signed is accepted and has its consequence

    Examples:
      | id      | way     | what            | made                                     |
      | id      | id      | issue "mistake" | posted the issue "mistake" dated 100     |
      | address | address | event "current" | published an article "current" dated 100 |

  @N01-EV-02.vanish @needs:nip=62
  Scenario: a request to vanish that is not what it says takes nothing
    Given the contributor posted the issue "mistake"
    When the contributor publishes a request to vanish that takes the issue "mistake" in every spoilt form
    Then each of them is refused
    And it has had no consequence
    But the event as it was signed is accepted and has its consequence

  @N01-EV-02.copy
  Scenario: a copy with a wrong signature does not take the place of the event
    Given the contributor posted the issue "once"
    When the contributor sends the issue "once" again with a wrong signature
    Then the issue "once" is still served
    And a query for the contributor's issues holds exactly "once"

  @N01-EV-03
  Scenario: an event sent again is answered with OK true and served once
    Given the contributor posted the issue "once"
    When the contributor posts the issue "once" again
    Then the event is accepted
    And a query for the contributor's issues holds exactly "once"

  @N01-EPH-01
  Scenario: an ephemeral event is not stored
    When the contributor publishes an event of kind 20001 naming the lighthouse by a
    Then the event is refused, or accepted and waiting
    And the event is not served any more

  @N01-ERR-01
  Scenario Outline: <what> is answered, and the connection stays usable
    When a client sends the message <message>
    Then a query is answered

    Examples:
      | id      | what                        | message                       |
      | verb    | an unknown verb             | ["HELLO","x"]                 |
      | json    | broken JSON                 | ["REQ","x",{"kinds":[1}       |
      | object  | an object instead of a list | {"kind":1}                    |
      | empty   | an empty list               | []                            |
      | number  | a number as verb            | [1,2,3]                       |
      | filter  | a filter that is none       | ["REQ","x","y"]               |
      | bad-tag | a malformed tag filter      | ["REQ","x",{"#e":"not a list"}] |
