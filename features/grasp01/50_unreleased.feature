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
  Scenario Outline: the ref of a pull request of <what> does not release the state
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit <commit>
    When a client pushes the commit <commit> for the pull request
    Then the push is accepted or refused
    And the state is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served
    And the state is served

    Examples:
      | id        | what                 | commit    |
      | beside    | a commit beside it   | side      |
      | unrelated | an unrelated history | unrelated |

  # Whether such a ref is the git data that an announcement waits for says no text: of the commits of its repository it is none.
  @G01-PURG-05.pull-request-announcement @score:should
  Scenario Outline: the ref of a pull request of <what> does not release the announcement
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit <commit>
    When a client pushes the commit <commit> for the pull request
    Then the push is accepted or refused
    And the announcement is not served
    But a push of the latest state then succeeds:
      | refs/heads/main | second |
    And the announcement is served

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

  @G01-PUSH-21.pull @G01-PURG-20
  Scenario Outline: <what> to the ref of a <event> does not release it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor's <event> of the commit side waits
    When a client pushes <form>:
      | refs/nostr/{<event>} | side |
    Then the push is refused
    And the <event> is not served
    And the repository still has exactly:
      | refs/heads/main | first |
    But a push of the whole pack then succeeds:
      | refs/nostr/{<event>} | side |
    And the <event> is served

    Examples:
      | id        | event        | what                       | form                         |
      | truncated | pull request | a broken push              | with a truncated pack        |
      | corrupted | pull request | a corrupted push           | with a corrupted pack        |
      | tree      | pull request | a push that lacks a tree   | with a pack that lacks a tree |
      | file      | pull request | a push that lacks a file   | with a pack that lacks a file |
      | empty     | pull request | an empty pack              | with an empty pack           |
      | update    | update       | a corrupted push           | with a corrupted pack        |

  @G01-PUSH-21.pull-first @G01-PURG-20
  Scenario Outline: <what> to the ref of a pull request that comes later does not make that served
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    When a client pushes <form>:
      | refs/nostr/{pull request} | side |
    Then the push is refused
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is not served
    But a push of the whole pack then succeeds:
      | refs/nostr/{pull request} | side |
    And the pull request is served

    Examples:
      | id        | what             | form                  |
      | truncated | a broken push    | with a truncated pack |
      | corrupted | a corrupted push | with a corrupted pack |

  @G01-PURG-20.refused
  Scenario Outline: a push that is refused for <what> releases no <event> that it brings, unless that gets its ref
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor's <event> of the commit side waits
    When a client pushes:
      | refs/nostr/{<event>} | side     |
      | <ref>                | <object> |
    Then the ref <ref> is refused
    And the <event> is not served, unless that push brought its ref
    But this push is accepted:
      | refs/nostr/{<event>} | side |
    And the <event> is served

    Examples:
      | id       | event        | what                   | ref             | object   |
      | branch   | pull request | a branch               | refs/heads/evil | side     |
      | deletion | pull request | a deletion             | refs/heads/main | (delete) |
      | notes    | pull request | a ref that is no branch | refs/notes/evil | side     |
      | update   | update       | a branch               | refs/heads/evil | side     |
