Feature: JSON
  An event is what its JSON text means, however that is written; what is no JSON text of an event is none.

  @N01-EV-01.written
  Scenario Outline: an issue written <way> is accepted
    When the contributor posts an issue written <way>
    Then the event is accepted
    And the event is served

    Examples:
      | id       | way                                 |
      | short    | with short escapes                  |
      | units    | with escapes by number              |
      | units-up | with escapes by number, capitals    |
      | pairs    | with pairs of escapes               |
      | pairs-up | with pairs of escapes, capitals     |
      | at-end   | with escapes at the end             |
      | raw      | without an escape                   |
      | words    | with words like escapes             |
      | blanks   | with blanks everywhere              |
      | order    | with the fields in another order    |

  @N01-EV-01.half @score:should
  Scenario: an event with half of a character is answered
    When a client connects to the relay
    Then issues of the contributor with half of a character are answered

  @N01-EV-01.expiration
  Scenario: an event whose expiration is no time is answered
    When a client connects to the relay
    Then issues of the contributor whose expiration is no time are answered

  @N01-EV-01.long
  Scenario: an issue of nothing but long characters is taken like one of as many bytes
    When a client connects to the relay
    Then an issue of the contributor of nothing but long characters is taken like one of as many bytes

  @N01-REQ-01.id
  Scenario Outline: queries are answered under their ids, of whatever characters they are, with an issue written <way>
    When the contributor posts an issue written <way>
    Then the event is accepted
    And a query for it is answered under ids of every sort of character

    Examples:
      | id    | way                    |
      | short | with short escapes     |
      | units | with escapes by number |

  @N01-EV-01.unknown
  Scenario Outline: an issue with <values> in fields that no rule knows is taken like any with such a field
    Given the contributor posted an issue with a field that no rule knows
    When the contributor posts an issue with <values> in fields that no rule knows
    Then the event is accepted
    And the event is served

    Examples:
      | id      | values  |
      | words   | words   |
      | numbers | numbers |
      | lists   | lists   |
      | objects | objects |
      | texts   | texts   |

  @N01-EV-02
  Scenario Outline: events with <faults> are refused
    When the contributor posts malformed issues with <faults>
    Then all malformed events are refused
    And nothing by the contributor is served
    But the well-formed issue is accepted

    Examples:
      | id      | faults                    |
      | types   | wrong types               |
      | missing | fields that are not there |
      | digits  | broken digits             |

  @N01-EV-02 @score:should
  Scenario Outline: events that are no JSON for <faults> are refused
    When the contributor posts malformed issues with <faults>
    Then all malformed events are refused
    And nothing by the contributor is served
    But the well-formed issue is accepted

    Examples:
      | id           | faults         |
      | json-numbers | broken numbers |
      | json-words   | broken words   |
      | json-texts   | broken texts   |
      | json-lists   | broken lists   |

  @N01-EV-02.signed @score:should
  Scenario: events that are signed and malformed are refused
    When the contributor posts malformed issues with signed faults
    Then all malformed events are refused
    And nothing by the contributor is served
    But the well-formed issue is accepted

  @N01-ERR-01
  Scenario Outline: malformed <messages> are answered, and the connection stays usable
    When a client sends malformed <messages>
    Then the connection is usable

    Examples:
      | id              | messages        |
      | queries         | queries         |
      | counts          | counts          |
      | reconciliations | reconciliations |
      | authentications | authentications |
      | messages        | messages        |

  @N01-ERR-01.ends
  Scenario: ends of nothing leave the connection usable
    When a client sends messages that may have no answer
    Then the connection is usable
