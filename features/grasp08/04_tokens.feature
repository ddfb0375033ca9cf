Feature: Git for members alone (GRASP-08)
  Every request carries a token (NIP-98), which names the repository and is of now. Whoever has none that counts learns nothing,
  not even whether there is a repository.

  Background:
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |

  @G08-01.git
  Scenario: who has no token gets no ref
    When a visitor with no token asks for all of the owner's repository
    Then every answer is 401, and the same where no repository is
    But with the owner's token all of it is answered

  @G08-05
  Scenario Outline: one token of a member, <age>, serves a whole operation
    When a visitor with no token asks for all of the owner's repository
    Then every answer is 401, and the same where no repository is
    But with the owner's token <age> all of it is answered

    Examples:
      | id    | age                  |
      | older | of half a minute ago |
      | newer | of in half a minute  |

  @G08-05
  Scenario Outline: a token <age> does not count
    When a visitor with the owner's token <age> asks for all of the owner's repository
    Then every answer is 401, and the same where no repository is
    But with the owner's token all of it is answered

    Examples:
      | id    | age                |
      | old   | of two minutes ago |
      | early | of in two minutes  |

  @G08-06
  Scenario Outline: <token> opens nothing, and tells nothing
    When a visitor with <token> asks for all of the owner's repository
    Then every answer is 401, and the same where no repository is
    But with the owner's token all of it is answered

    Examples:
      | id         | token                                    |
      | none       | no token                                 |
      | no-event   | a token that is no event                 |
      | old        | the owner's token of two minutes ago     |
      | repository | the owner's token for another repository |
      | service    | the owner's token for another service    |
      | all        | the owner's token for all of its repositories |
      | whole      | the owner's token for the whole service  |
      | longer     | the owner's token for a repository whose name goes on |
      | method     | the owner's token for another method     |
      | nothing    | the owner's token for no repository      |
      | any-method | the owner's token for no method          |
      | port       | the owner's token for another port       |
      | changed    | the owner's token, changed since it was signed |
      | scheme     | the owner's token of another scheme      |
      | kind       | the owner's token of another kind        |
      | signature  | the owner's token with a wrong signature |
      | stranger   | the stranger's token                     |

  @G08-07
  Scenario: a member who is no maintainer moves no ref
    When the contributor pushes to the owner's repository with a token:
      | refs/heads/main | second |
    Then the push with a token is refused, and moves nothing
    But the contributor may push that once a state of the owner names it
