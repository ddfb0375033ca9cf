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
