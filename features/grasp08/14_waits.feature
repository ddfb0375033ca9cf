@further @live-only @because:needs-sockets
Feature: What the time of a refusal tells (GRASP-08)
  Whether there is a repository is not decided for who may not know it, so it takes no time either.

  @G08-06.time @serial
  Scenario: refusals take as long where a repository is as where none is
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |
    When a visitor with the stranger's token asks in turns for the owner's repository and for none
    Then the waits do not tell them apart
    But with the owner's token all of it is answered
