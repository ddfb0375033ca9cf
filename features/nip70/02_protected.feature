Feature: Protected events
  An event that says so is published by its author alone.

  @N70-01
  Scenario: a protected event is refused from a client that has not authenticated
    When a protected issue by the contributor is sent
    Then the event is refused
    And the issue is not served
    But the same issue is accepted once the contributor has authenticated

  @N70-01.last
  Scenario: an event is protected whichever of its tags says so
    When a protected issue by the contributor that says so in its last tag is sent
    Then the event is refused
    And the issue is not served
    But the same issue is accepted once the contributor has authenticated

  @N70-01.other
  Scenario: a protected event is refused from a client that has authenticated as somebody else
    Given the stranger has authenticated
    When a protected issue by the contributor is sent
    Then the event is refused
    And the issue is not served
    But the same issue is accepted once the contributor has authenticated

  @N70-01.elsewhere
  Scenario: a protected event is refused on another connection than that of its author
    Given the contributor has authenticated
    When a protected issue by the contributor is sent on another connection
    Then the event is refused
    And the issue is not served
    But the same issue is accepted once the contributor has authenticated

  @N70-01.repository
  Scenario: a protected announcement from a client that has not authenticated makes no repository
    When the owner announces the repository with:
      | - | (bare) |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

  @N70-01.author
  Scenario: a protected event is accepted from its author, and served to everybody
    Given the contributor has authenticated
    When a protected issue by the contributor is sent
    Then the event is accepted
    And the issue is served
    And the issue is still served

  @N70-01.both
  Scenario Outline: who has authenticated as two keys publishes what is protected by the <which>
    Given the stranger has authenticated
    And the contributor has authenticated
    When a protected issue by the <author> is sent
    Then the event is accepted
    And the issue is served

    Examples:
      | id     | which  | author      |
      | first  | first  | stranger    |
      | second | second | contributor |

  @N70-01.failed
  Scenario: who has authenticated publishes what is protected although another attempt has failed since
    Given the contributor has authenticated
    When the stranger authenticates with a wrong signature
    Then the event is refused
    When a protected issue by the contributor is sent
    Then the event is accepted
    And the issue is served
    But the proper authentication of the stranger is accepted

  @N70-01.deletion
  Scenario: a protected deletion request from a client that has not authenticated deletes nothing
    Given the contributor posted the issue "one"
    And the contributor posted the issue "two"
    And the contributor's request to delete the issue "two" is taken
    When the contributor asks to delete the issue "one" by a protected request
    Then the event is refused
    And the issue "one" is still served
    But the same request is accepted once the contributor has authenticated
