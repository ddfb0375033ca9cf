Feature: Relay information document
  A service tells what it is in one document at its relay URL.

  @G01-N11-01 @read-only
  Scenario: the relay URL shows its information document
    When a visitor asks for the relay information document
    Then the answer is a relay information document

  @G01-N11-01.packed @read-only
  Scenario: who takes compressed answers can read the information document
    When a visitor asks for the relay information document, compressed
    Then the answer, unpacked, is a relay information document

  @G01-N11-01.words @read-only @score:should
  Scenario Outline: the relay URL shows its information document to who would also take something else: <what>
    When a visitor asks for the relay information document by the words "<accept>"
    Then the answer is a relay information document

    Examples:
      | id        | what                       | accept                                       |
      | any       | anything else              | application/nostr+json, */*;q=0.1            |
      | behind    | a page, which comes first  | text/html;q=0.5, application/nostr+json      |
      | several   | several others             | application/nostr+json,application/json;q=0.9,text/plain;q=0.8 |
      | parameter | nothing else, in full      | application/nostr+json;q=1.0                 |

  @G01-N11-02 @read-only
  Scenario: the document lists GRASP-01
    When a visitor asks for the relay information document
    Then supported_grasps holds GRASP-01 and only names of that form

  @G01-N11-03 @read-only
  Scenario: the document states which repositories are accepted
    When a visitor asks for the relay information document
    Then repo_acceptance_criteria is text that is not empty

  @G01-N11-03.restricted
  Scenario: a service that takes nothing from strangers says so
    Given nobody unknown may announce a repository
    When a visitor asks for the relay information document
    Then the document says whom it takes

  @G01-N11-04 @read-only
  Scenario: the document speaks of curation only with words
    When a visitor asks for the relay information document
    Then curation is absent or text that is not empty

  @G01-N11-05
  Scenario: what is listed is offered, and what is offered is listed
    When a visitor asks for the relay information document
    Then the GRASPs that it lists are those that are offered

  @G01-N11-06 @read-only
  Scenario: the document itself carries the CORS headers
    When a visitor sends GET to the relay URL
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type
    And the answer is a relay information document

  @G01-N11-06 @read-only
  Scenario Outline: <method> at the relay URL is answered with the CORS headers
    When a visitor sends <method> to the relay URL
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    Examples:
      | id      | method  |
      | head    | HEAD    |
      | options | OPTIONS |

  @G01-N11-07 @read-only
  Scenario: the document lists NIPs as integers
    When a visitor asks for the relay information document
    Then supported_nips holds integers, among them 1, 11 and 34

  @G01-N11-08 @hostile
  Scenario Outline: the limit <limit> that the document states is the one that holds
    When a visitor asks for the relay information document
    Then the limit <limit> that the document states holds

    Examples:
      | id            | limit              |
      | subid         | max_subid_length   |
      | subscriptions | max_subscriptions  |
      | message       | max_message_length |
      | filters       | max_filters        |
      | tags          | max_event_tags     |

  @G01-N11-08.restricted
  Scenario: what a service asks of strangers is a limit that its document states
    Given nobody unknown may announce a repository
    When a visitor asks for the relay information document
    Then the limitation in the document fits the refusal

  @G01-N11-09 @read-only
  Scenario: a private service shows its document to anybody
    When a visitor asks for the relay information document
    Then the answer is a relay information document
