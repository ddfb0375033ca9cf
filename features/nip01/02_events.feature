Feature: Events
  Clients publish by WebSocket at the root of the service and get an answer to each event.

  @N01-WS-01 @read-only
  Scenario: a relay answers at the root
    When a client connects to the relay
    Then the relay answers a query

  @N01-WS-01.words @read-only
  Scenario Outline: a relay takes a request for a WebSocket in any proper words: <what>
    When a visitor asks for a WebSocket by the connection "<connection>" and the upgrade "<upgrade>"
    Then the answer is a WebSocket

    Examples:
      | id     | what                        | connection          | upgrade   |
      | two    | the connection also is kept | keep-alive, Upgrade | websocket |
      | behind | the upgrade comes first     | Upgrade, keep-alive | websocket |
      | tight  | no blank between the words  | keep-alive,Upgrade  | websocket |
      | upper  | upper case                  | UPGRADE             | WebSocket |

  @N01-EV-01
  Scenario: a valid event is answered with OK true
    When the contributor posts an issue
    Then the event is accepted
    And the event is served

  @N01-EV-01.late @serial @live-only @because:needs-bare-connections @score:should
  Scenario: who reads late gets an answer to every event, or the relay has ended the connection
    Given the contributor posted the issue "one"
    Then a client that reads late gets 700 answers to the issue "one", or the relay has ended the connection

  @N01-EV-01.characters
  Scenario: events are served as they were signed, whatever characters they have
    Given issues of the contributor with characters of every sort were sent
    Then what is found of them is as it was signed
    And each of them is found by its value

  @N01-EV-01.refused @score:should
  Scenario: a refused event is answered with OK false and a machine-readable reason
    When the contributor posts a malformed issue with a wrong signature
    Then the malformed event is refused
    And the refusal has a machine-readable prefix
    But the well-formed issue is accepted

  @N01-EV-01.unrelated @score:should
  Scenario Outline: the refusal of <event> naming <what> has a machine-readable reason
    When the contributor publishes <event> naming <what>
    Then the refusal has a machine-readable prefix

    Examples:
      | id                | event               | what                  |
      | issue             | an issue            | an unknown repository |
      | comment           | a comment           | an unknown repository |
      | patch             | a patch             | an unknown repository |
      | note              | a note              | nothing               |
      | status            | an event of kind 1630 | nothing             |
      | unheard-of        | an event of kind 9999 | nothing             |

  @N01-EV-01.announcement @score:should
  Scenario Outline: the refusal of an announcement <how> has a machine-readable reason
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the refusal has a machine-readable prefix

    Examples:
      | id         | how                        | tag    | value                              |
      | elsewhere  | of another service         | clone  | https://git.example.invalid/x.git  |
      | relay      | of another relay           | relays | wss://relay.example.invalid        |
      | no-clone   | without a clone URL        | clone  | (none)                             |
      | identifier | without an identifier      | d      | (none)                             |
      | empty      | with an empty identifier   | d      | (empty)                            |

  @N01-EV-01.state @score:should
  Scenario: the refusal of a state without announcement has a machine-readable reason
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the refusal has a machine-readable prefix

  @N01-EV-01.served @score:should
  Scenario: refusals about a served repository have machine-readable reasons
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the stranger publishes the state:
      | refs/heads/main | second |
    Then the refusal has a machine-readable prefix
    When the owner publishes the state dated 1:
      | refs/heads/main | second |
    Then the refusal has a machine-readable prefix
    When the owner publishes the state:
      | refs/heads/main | (no hex) |
    Then the refusal has a machine-readable prefix
    When the contributor publishes a pull request of the commit side to an unknown repository
    Then the refusal has a machine-readable prefix
    When the contributor publishes a pull request with nothing instead of a commit
    Then the refusal has a machine-readable prefix

  @N01-EV-01.older @score:should
  Scenario: the refusal of an older version has a machine-readable reason
    Given the contributor published an article "current" dated 200
    When the contributor publishes an article "older" dated 100
    Then the refusal has a machine-readable prefix

  @N01-EV-01.deleted @score:should
  Scenario: the refusal of what was deleted has a machine-readable reason
    Given the contributor posted the issue "mistake"
    And the contributor's request to delete the issue "mistake" is taken
    When the contributor posts the issue "mistake" again
    Then the refusal has a machine-readable prefix

  @N01-EV-01.expired @score:should
  Scenario: the refusal of what has expired has a machine-readable reason
    When the contributor posts an issue that expired 60 seconds ago
    Then the refusal has a machine-readable prefix

  @N01-EV-01.protected @score:should
  Scenario: the refusal of a protected event has a machine-readable reason
    When a protected issue by the contributor is sent
    Then the refusal has a machine-readable prefix

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

  @N01-EV-03.dressed @further
  Scenario Outline: <what> in every dress are accepted a second time
    Given <what> of the contributor in every dress were sent
    Then each of them is accepted when it is sent again

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @N01-EV-03.elsewhere
  Scenario: an event sent again on another connection is answered with OK true and served once
    Given the contributor posted the issue "once"
    When the contributor posts the issue "once" again on another connection
    Then the event is accepted
    And a query for the contributor's issues holds exactly "once"

  @N01-EV-03.live @score:should
  Scenario: an event sent again is sent to an open subscription once
    Given a subscription for the contributor's issues is open
    And the contributor posted the issue "once"
    When the contributor posts the issue "once" again
    Then the event is accepted
    When the contributor posts the issue "next"
    Then the subscription gets exactly "once", "next"

  @N01-EV-03.repository
  Scenario: the events of a served repository that are sent again stay served
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner sends the announcement again
    Then the event is accepted
    And the announcement is still served
    When the owner sends the state again
    Then the event is accepted
    And the state is still served
    And the repository still has exactly:
      | refs/heads/main | first |

  @N01-EPH-01
  Scenario: an ephemeral event is not stored
    When the contributor publishes an event of kind 20001 naming the lighthouse by a
    Then the event is refused, or accepted and waiting
    And the event is not served any more

  @N01-REQ-01.ephemeral @score:should
  Scenario: an ephemeral event that is taken is sent to who listens
    Given a listener followed the contributor's events
    When the contributor publishes an event of kind 20001 naming the lighthouse by a
    Then the event is accepted, or such events are not taken
    And the listener gets the event

  @N01-ERR-01.open
  Scenario Outline: a connection is usable behind the answer to an <answer> event
    When a client connects to the relay
    Then a connection is usable behind the answer to an <answer> event

    Examples:
      | id       | answer   |
      | accepted | accepted |
      | refused  | refused  |

  @N01-ERR-01.nothing @score:should
  Scenario: a connection is usable behind the end of a subscription that is not open
    When a client connects to the relay
    Then a connection is usable behind the end of a subscription that is not open

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
      | kinds   | a kind beyond 64 bits       | ["REQ","x",{"kinds":[18446744073709551616]}] |
      | times   | times beyond 64 bits        | ["REQ","x",{"since":9223372036854775808,"until":18446744073709551616}] |
