Feature: CORS
  Web clients reach the service from any page.

  Scenario Outline: every origin may read <answer>
    When a visitor asks for <answer>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03 @read-only
    Examples:
      | id          | answer                              |
      | information | the relay information document      |
      | unknown     | the page of an unknown repository   |
      | unknown-git | the advertisement of an unknown one |
      | bad-npub    | the advertisement of a bad npub     |
      | path        | an unknown path                     |
      | preflight   | the preflight of the root           |

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03
    Examples:
      | id             | answer                        |
      | page           | the page of a repository      |
      | fetch-advert   | the fetch advertisement       |
      | push-advert    | the push advertisement        |
      | fetch-result   | the result of a fetch         |
      | refused-push   | the answer to an unsigned push |

  Scenario Outline: the preflight of <place> is answered with nothing but permission
    When a visitor asks for the preflight of <place>
    Then the answer is empty with status 204

    @G01-CORS-04 @read-only
    Examples:
      | id   | place    |
      | root | the root |

    @G01-CORS-04
    Examples:
      | id     | place                   |
      | page   | a repository            |
      | advert | the advertisements      |
      | fetch  | the fetch endpoint      |
      | push   | the push endpoint       |

    @G01-CORS-04 @score:should @read-only
    Examples:
      | id      | place                 |
      | unknown | an unknown repository |
      | path    | an unknown path       |

  @G01-CORS-05 @read-only
  Scenario: whether browsers may send Git-Protocol is recorded
    When a visitor asks leave to send the header git-protocol
    Then whether the answer allows the request header git-protocol is recorded

  @G01-CORS-06 @read-only
  Scenario: whether browsers may send Authorization to a private service is recorded
    When a visitor asks leave to send the header authorization
    Then whether the answer allows the request header authorization is recorded
