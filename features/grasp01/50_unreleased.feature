Feature: What releases nothing
  What failed, brought nothing, was refused or went elsewhere releases neither an announcement nor a state that waits.

  @G01-PURG-05.asked
  Scenario Outline: <what> releases nothing that waits
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When <act>
    Then the answer <answer>
    And the announcement is not served
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id    | what               | act                                                                  | answer                             |
      | probe | an empty push      | a client pushes nothing                                              | has status 200                     |
      | list  | an advertisement   | a visitor asks for the fetch advertisement of the owner's repository | has status 200                     |
      | page  | a look at its page | a visitor opens the page of the owner's repository                   | is a page or that nothing is there |

  @G01-PURG-05.refused
  Scenario Outline: a push that is not authorized releases nothing that waits: <what>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | <ref> | <commit> |
    Then the push <end>
    And the announcement is not served
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id     | what                            | ref             | commit    | end             |
      | commit | another commit                  | refs/heads/main | side      | is refused      |
      | root   | a commit of another history     | refs/heads/main | unrelated | is refused      |
      | branch | another branch of the commit    | refs/heads/evil | second    | is refused      |
      | tag    | a tag of the commit             | refs/tags/v1    | second    | is refused      |
      | notes  | a ref that is no branch         | refs/notes/x    | second    | is refused      |
      | delete | a deletion of what is not there | refs/heads/main | (delete)  | changes nothing |

  @G01-PUSH-21.unreleased @G01-PURG-05 @hostile
  Scenario Outline: a push <form> releases nothing that waits
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | refs/heads/main | second |
    Then the push is refused
    And the announcement does not show in a query by id
    And the state does not show in a query by id
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id        | form                            |
      | truncated | with a truncated pack           |
      | corrupted | with a corrupted pack           |
      | tree      | with a pack that lacks a tree   |
      | parent    | with a pack that lacks a parent |
      | empty     | with an empty pack              |

  @G01-PURG-05.pull-request
  Scenario Outline: the ref of a pull request of <what> releases neither the announcement nor the state
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit <commit>
    When a client pushes the commit <commit> for the pull request
    Then the push is accepted or refused
    And the announcement is not served
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id        | what                 | commit    |
      | beside    | a commit beside it   | side      |
      | unrelated | an unrelated history | unrelated |

  @G01-PURG-05.elsewhere
  Scenario Outline: a push of <what> to a stranger's repository of the same name releases nothing of the owner
    Given the stranger announced the repository
    And the stranger published the state:
      | refs/heads/main | <commit> |
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes to the stranger's repository:
      | refs/heads/main | <commit> |
    Then the push succeeds
    And the announcement is not served
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id        | what                  | commit    |
      | unrelated | an unrelated history  | unrelated |
      | beside    | a commit beside it    | side      |

  @G01-PURG-05.state
  Scenario Outline: where the repository is served <what> does not release the next state
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | <ref> | <commit> |
    Then the push is refused
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the state is served

    Examples:
      | id        | what                  | form                  | ref             | commit |
      | side      | a push of what is not signed | in chunks      | refs/heads/main | side   |
      | evil      | a push to another branch | in chunks          | refs/heads/evil | side   |
      | truncated | a broken push         | with a truncated pack | refs/heads/main | second |
      | corrupted | a corrupted push      | with a corrupted pack | refs/heads/main | second |
      | empty     | an empty pack         | with an empty pack    | refs/heads/main | second |

  @G01-PURG-05.state-probe
  Scenario: where the repository is served an empty push does not release the next state
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes nothing
    Then the answer has status 200
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the state is served

  @G01-PURG-05.state-pull-request
  Scenario: where the repository is served the ref of a pull request does not release the next state
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push is accepted or refused
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the state is served
