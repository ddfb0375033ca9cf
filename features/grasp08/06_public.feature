Feature: What a private service tells everybody (GRASP-08)
  Clients find out that a service is private, and pages of any origin may ask it.

  @G08-08 @read-only @needs:grasp=8
  Scenario: the information document is for everybody
    When a visitor asks for the relay information document
    Then the document lists GRASP-08 and NIP-42

  @G08-08.listed @read-only
  Scenario: a service turns strangers away exactly if it lists that it is private
    When a visitor asks for the advertisement of an unknown one
    Then the relay and git turn everybody away exactly if GRASP-08 is listed

  @G08-12 @read-only
  Scenario Outline: the preflight of <place> needs no token
    When a visitor asks for the preflight of <place>
    Then the answer is empty with status 204
    And the answer allows every origin

    Examples:
      | id      | place                 |
      | root    | the root              |
      | git     | an unknown repository |

  @G08-12.refused @read-only
  Scenario Outline: every origin may read that a token is missing for <what>
    When a visitor asks for <what>
    Then the answer allows every origin
    And the answer allows the methods GET and POST

    Examples:
      | id           | what                                     |
      | advert       | the advertisement of an unknown one      |
      | push-advert  | the push advertisement of an unknown one |
      | fetch        | a fetch from an unknown one              |
      | push         | a push to an unknown one                 |
      | page         | the page of an unknown repository        |
