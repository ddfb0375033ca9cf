@further @live-only @because:needs-sockets
Feature: What the time of a refusal tells (GRASP-08)
  Whether there is a repository is not decided for who may not know it, so it takes no time either.

  @G08-06.time @serial
  Scenario Outline: <endpoint> is refused in the same time where a repository is and where none is
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |
    When a visitor with the stranger's token asks in turns for <endpoint> of the owner's repository and of none
    Then the waits do not tell them apart
    But with the owner's token all of it is answered

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  @G08-02.time @serial
  Scenario: a question before an authentication is refused in the same time, whatever it asks for
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |
    When a client of nobody asks in turns for the owner's repository and for none
    Then the waits do not tell them apart
    But with the owner's token all of it is answered

  @G08-03.time @serial
  Scenario: a question of a stranger is refused in the same time, whatever it asks for
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |
    When a client of the stranger asks in turns for the owner's repository and for none
    Then the waits do not tell them apart
    But with the owner's token all of it is answered
