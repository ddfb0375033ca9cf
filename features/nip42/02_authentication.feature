Feature: Authentication
  Clients show who they are by an event that holds the challenge of their connection.

  @N42-01
  Scenario: a proper authentication is accepted, and its event is not served
    Given the contributor was asked to authenticate
    When the contributor authenticates with nothing wrong
    Then the event is accepted
    And the event "proof" is not served

  @N42-01.several
  Scenario: a client may authenticate again, and as several keys
    Given the contributor was asked to authenticate
    When the contributor authenticates with nothing wrong
    Then the event is accepted
    When the contributor authenticates with nothing wrong
    Then the event is accepted
    When the stranger authenticates with nothing wrong
    Then the event is accepted
    When the contributor authenticates with nothing wrong
    Then the event is accepted

  @N42-01.often
  Scenario: a client may authenticate as one key as often as it likes
    Given the contributor was asked to authenticate
    Then the contributor may authenticate 25 times

  @N42-01.faulty
  Scenario Outline: an authentication with <fault> is refused
    Given the contributor was asked to authenticate
    When the contributor authenticates with <fault>
    Then the event is refused
    But the proper authentication of the contributor is accepted

    Examples:
      | id        | fault                               |
      | challenge | the challenge of another connection |
      | beside    | the challenge of a connection beside it |
      | relay     | the URL of another relay            |
      | inside    | the URL of another relay that holds this one's |
      | old       | a time 20 minutes ago               |
      | early     | a time in 20 minutes                |
      | kind      | an event of another kind            |
      | signature | a wrong signature                   |
      | bare      | no challenge                        |
      | nowhere   | no relay                            |
      | empty     | no tag                              |

  @N42-01.apart
  Scenario: who authenticates on two connections can use both
    Given the contributor was asked to authenticate
    And the contributor has authenticated
    When the contributor authenticates on a connection beside it, too
    Then the event is accepted
    And the connection of the first one still answers

  @N42-01.published
  Scenario: what would authenticate is neither stored nor forwarded if it is published
    Given the contributor was asked to authenticate
    When the contributor publishes what would authenticate
    Then the event "proof" is not served

  @G01-PURG-05.authenticated @needs:nip=42
  Scenario: what waits for git data is not shown to its author either, who has authenticated
    Given the owner was asked to authenticate
    And the owner has authenticated
    And the owner announced the repository, which waits
    And the owner published the state:
      | refs/heads/main | first |
    Then the announcement is not shown to its author, who has authenticated
