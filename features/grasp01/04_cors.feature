Feature: CORS
  Web clients reach the service from any page. Each answer is asked for twice: by somebody who names no origin, and by a
  page of another one.

  Scenario Outline: every origin may read <answer>
    When a visitor asks for <answer>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type
    When a page asks for <answer>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03 @read-only
    Examples:
      | id             | answer                                   |
      | information    | the relay information document           |
      | landing        | the root                                 |
      | anything       | the root as anything                     |
      | path           | an unknown path                          |
      | icon           | the icon of the service                  |
      | unknown        | the page of an unknown repository        |
      | unknown-git    | the advertisement of an unknown one      |
      | unknown-push   | the push advertisement of an unknown one |
      | unknown-fetch  | a fetch from an unknown one              |
      | unknown-pushed | a push to an unknown one                 |
      | bad-npub       | the advertisement of a bad npub          |
      | method         | a deletion of the root                   |
      | form           | a form sent to the root                  |
      | again          | the relay information document as it was before |
      | root-again     | the root as it was before                |
      | part           | a part of the relay information document |
      | packed         | the relay information document, compressed |
      | root-packed    | the root, compressed                     |
      | unknown-head   | the head of the page of an unknown repository |
      | unknown-advert-head | the head of the advertisement of an unknown one |
      | path-head      | the head of an unknown path              |

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03
    Examples:
      | id              | answer                                   |
      | page            | the page of a repository                 |
      | conditional     | the page of a repository as it was since |
      | fetch-advert    | the fetch advertisement                  |
      | push-advert     | the push advertisement                   |
      | advert-v2       | the advertisement in version 2           |
      | no-service      | the advertisement of no service          |
      | bad-service     | the advertisement of an unknown service  |
      | list            | a list of refs                           |
      | fetch-result    | the result of a fetch                    |
      | refused-fetch   | the result of a refused fetch            |
      | malformed-fetch | the result of a malformed fetch          |
      | refused-push    | the answer to an unsigned push           |
      | probe           | the answer to a push of nothing          |
      | empty-push      | the answer to an empty push              |
      | malformed-push  | the answer to a malformed push           |
      | fetch-type      | a fetch of another content type          |
      | push-type       | a push of another content type           |
      | compression     | a push of a broken compression           |
      | page-method     | a deletion of a repository               |
      | refs-method     | a deletion of refs                       |
      | refs-form       | a form sent to the refs                  |
      | fetch-visit     | a visit to the fetch endpoint            |
      | push-visit      | a visit to the push endpoint             |
      | file            | a file of a repository                   |
      | place           | an unknown place of a repository         |
      | page-again      | the page of a repository as it was before |
      | page-packed     | the page of a repository, compressed     |
      | page-slash      | the page of a repository with a slash behind it |
      | page-short      | the page of a repository without its suffix |
      | page-head       | the head of the page of a repository     |
      | advert-again    | the fetch advertisement as it was before |
      | advert-packed   | the fetch advertisement, compressed      |
      | advert-head     | the head of the fetch advertisement      |

  @G01-CORS-01.empty @G01-CORS-02 @G01-CORS-03
  Scenario Outline: every origin may read the <what> advertisement of a repository without data
    Given the owner announced the repository
    When a visitor asks for the <what> advertisement of the owner's repository
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    Examples:
      | id          | what  |
      | empty-fetch | fetch |
      | empty-push  | push  |

  @G01-CORS-01.place @G01-CORS-02 @G01-CORS-03 @read-only @needs:grasp=6
  Scenario Outline: every origin may read <endpoint> of a place for pull requests
    When below /prs/ a visitor asks for <endpoint> of an unknown repository
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  Scenario Outline: every origin may read the answer to a push of what <signed>, asked by a <who>
    When a <who> pushes what <signed>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03
    Examples:
      | id           | who     | signed               |
      | pushed       | visitor | the owner signed     |
      | pushed-page  | page    | the owner signed     |
      | pulled       | visitor | a pull request names |
      | pulled-page  | page    | a pull request names |

  Scenario Outline: every origin may read the preflight of <place>
    When a visitor asks for the preflight of <place>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03 @read-only
    Examples:
      | id                | place                 |
      | preflight         | the root              |
      | preflight-unknown | an unknown repository |
      | preflight-path    | an unknown path       |

    @G01-CORS-01 @G01-CORS-02 @G01-CORS-03
    Examples:
      | id               | place              |
      | preflight-page   | a repository       |
      | preflight-advert | the advertisements |
      | preflight-fetch  | the fetch endpoint |
      | preflight-push   | the push endpoint  |

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
      | held   | the owner's repository, which waits |

    @G01-CORS-04 @score:should @read-only
    Examples:
      | id      | place                 |
      | unknown | an unknown repository |
      | path    | an unknown path       |

    @G01-CORS-04 @score:should
    Examples:
      | id      | place                        |
      | escaped | a repository, needlessly escaped |

  Scenario Outline: OPTIONS without the questions of a preflight is answered with nothing but permission by <place>
    When a visitor asks for the options of <place>
    Then the answer is empty with status 204

    @G01-CORS-04.options @read-only
    Examples:
      | id   | place    |
      | root | the root |

    @G01-CORS-04.options
    Examples:
      | id     | place              |
      | page   | a repository       |
      | advert | the advertisements |
      | fetch  | the fetch endpoint |
      | push   | the push endpoint  |

  Scenario Outline: the preflight for GET is answered with nothing but permission by <place>
    When a visitor asks leave for GET at <place>
    Then the answer is empty with status 204
    And the answer allows every origin
    And the answer allows the methods GET and POST

    @G01-CORS-04.get @read-only
    Examples:
      | id   | place    |
      | root | the root |

    @G01-CORS-04.get
    Examples:
      | id     | place              |
      | page   | a repository       |
      | advert | the advertisements |

  Scenario Outline: who asks leave for headers beyond those of the text is told what is allowed by <place>
    When a visitor asks leave for other headers at <place>
    Then the answer allows every origin
    And the answer allows the methods GET and POST
    And the answer allows the request header Content-Type

    @G01-CORS-01.asked @G01-CORS-02 @G01-CORS-03 @read-only
    Examples:
      | id   | place    |
      | root | the root |

    @G01-CORS-01.asked @G01-CORS-02 @G01-CORS-03
    Examples:
      | id     | place              |
      | advert | the advertisements |
      | fetch  | the fetch endpoint |
      | push   | the push endpoint  |

  @G01-CORS-04.place @read-only @needs:grasp=6
  Scenario Outline: the preflight of <place> is answered with nothing but permission
    When a visitor asks for the preflight of <place>
    Then the answer is empty with status 204
    And the answer allows every origin

    Examples:
      | id     | place                                       |
      | advert | the advertisements of a place for pull requests |
      | push   | the push endpoint of a place for pull requests |

  @G01-CORS-05 @read-only
  Scenario: whether browsers may send Git-Protocol is recorded
    When a visitor asks leave to send the header git-protocol
    Then whether the answer allows the request header git-protocol is recorded

  @G01-CORS-06 @read-only
  Scenario: whether browsers may send Authorization to a private service is recorded
    When a visitor asks leave to send the header authorization
    Then whether the answer allows the request header authorization is recorded
