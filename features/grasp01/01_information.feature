Feature: Relay information document
  A service tells what it is in one document at its relay URL.

  @G01-N11-01 @read-only
  Scenario: the relay URL shows its information document
    When a visitor asks for the relay information document
    Then the answer is a relay information document

  @G01-N11-02 @read-only
  Scenario: the document lists GRASP-01
    When a visitor asks for the relay information document
    Then supported_grasps holds GRASP-01 and only names of that form

  @G01-N11-03 @read-only
  Scenario: the document states which repositories are accepted
    When a visitor asks for the relay information document
    Then repo_acceptance_criteria is text that is not empty

  @G01-N11-04 @read-only
  Scenario: the document speaks of curation only with words
    When a visitor asks for the relay information document
    Then curation is absent or text that is not empty
