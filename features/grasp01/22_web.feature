Feature: Web pages
  A repository URL is also a page for people.

  @G01-WEB-01
  Scenario: a repository page links to a client
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor opens the page of the owner's repository
    Then the page links to a client that shows this repository

  @G01-WEB-01.escaped @hostile
  Scenario: foreign text on a page is escaped
    Given the owner announced the repository with:
      | name        | <script>alert(1)</script>                   |
      | description | "><img src=x onerror=alert(1)><script>x()</script> |
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    When a visitor opens the page of the owner's repository
    Then the page holds no foreign markup

  @G01-WEB-01.identifier @hostile
  Scenario Outline: an identifier with <what> makes no markup on a page
    Given the identifier begins with <beginning>
    And the owner's repository is served, if its identifier is taken, with:
      | refs/heads/main | first |
    When a visitor opens the page of the owner's repository
    Then the page holds no foreign markup

    Examples:
      | id     | what                     | beginning                                                    |
      | tag    | a tag in it              | <img src=x onerror=alert(1)>                                 |
      | second | two tags in it           | <b><img src=x onerror=alert(1)>                              |
      | double | double quotation marks   | {quote}onmouseover={quote}alert(1){quote}x={quote}           |
      | single | single quotation marks   | 'onmouseover='alert(1)'x='                                   |

  @G01-WEB-01.addresses
  Scenario Outline: the addresses on a page are those of the repository: <identifier>
    Given the identifier ends in "<ending>"
    And the owner's repository is served, if its identifier is taken, with:
      | refs/heads/main | first |
    When a visitor opens the page of the owner's repository
    Then every address on the page that names the owner names this repository

    Examples:
      | id      | identifier            | ending         |
      | plain   | nothing to be encoded | -aAzZ09._~-    |
      | encoded | much to be encoded    | -a b%é@[`^:;      |

  @G01-WEB-02 @read-only
  Scenario: the page of an unknown repository is not found
    When a visitor asks for the page of an unknown repository
    Then the answer has status 404

  @G01-WEB-02.known
  Scenario: the page of a repository that a known key has not announced is not found
    When a visitor asks for the page of an unknown repository of a known key
    Then the answer has status 404
    But the fetch advertisement of the lighthouse is answered

  @G01-WEB-03 @needs:held=30617
  Scenario: the page of a held repository tells nothing of the announcement
    Given the owner announced the repository with:
      | name        | hidden words of the owner |
      | description | hidden words of the owner |
    When a visitor opens the page of the owner's repository
    Then no answer holds "hidden words"
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    And the announcement is served

  @G01-WEB-04 @read-only
  Scenario: the root is a page or leads to one
    When a visitor opens the root
    Then the answer is a page or leads to one
