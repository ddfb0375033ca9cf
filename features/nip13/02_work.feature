Feature: Proof of work
  A relay that asks for work says so.

  @N13-01
  Scenario: a refusal for missing work has the prefix pow
    Given the relay asks for proof of work
    When the owner announces the repository without work
    Then the event is refused
    And the refusal has the prefix pow
