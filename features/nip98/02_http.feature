Feature: HTTP authentication
  Private services ask for it.

  @N98-01
  Scenario Outline: what a private service answers to an authentication <age> is recorded
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor with HTTP authentication <age> asks for the fetch advertisement of the owner's repository
    Then the answer to the visitor is recorded

    Examples:
      | id  | age            |
      | now | of now         |
      | old | of an hour ago |
