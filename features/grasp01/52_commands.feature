Feature: Commands of a push
  What is judged is what git would carry out, however the list of commands is written: byte by byte, and by what its ids mean.

  @G01-PUSH-20 @hostile
  Scenario Outline: an unsigned command moves nothing however it is written: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes <form>:
      | refs/heads/evil | second |
    Then the push changes nothing
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id           | form                            |
      | gap          | with capabilities without a gap |
      | line-feeds   | with line feeds                 |
      | upper-case   | with ids in upper case          |
      | atomic       | with the capability atomic      |
      | options      | with push options               |
      | no-caps      | without capabilities            |
      | empty-list   | behind an empty list            |
      | delimiter    | behind a delimiter              |
      | response-end | behind a response end           |
      | empty-line   | behind an empty line            |
      | crowd        | in a list of 1100 commands      |
      | twice        | with each command twice         |
      | tabs         | with tabs                       |
      | vtabs        | with vertical tabs              |
      | blank        | with a blank at the end         |
      | nul          | with a second zero byte         |
      | lengths      | with lengths in upper case      |
      | digits-64    | with ids of 64 digits           |
      | digits-7     | with ids of 7 digits            |
      | returns      | with carriage returns           |
      | spaces       | with two spaces                 |
      | shallow      | with shallow lines in the list  |

  @G01-PUSH-20.among @hostile
  Scenario Outline: between signed commands no unsigned one is carried out, be it to make, to move or to delete: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
      | refs/heads/old  | side  |
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/heads/old  | side   |
      | refs/tags/v1    | first  |
    When a client pushes <form>:
      | refs/heads/main           | second   |
      | refs/heads/evil           | second   |
      | refs/heads/dev            | (delete) |
      | refs/heads/old            | second   |
      | refs/nostr/{pull request} | second   |
      | refs/tags/v1              | first    |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |

    Examples:
      | id              | form                                |
      | gap             | with capabilities without a gap     |
      | line-feeds      | with line feeds                     |
      | upper-case      | with ids in upper case              |
      | atomic          | with the capability atomic          |
      | options         | with push options                   |
      | no-caps         | without capabilities                |
      | empty-list      | behind an empty list                |
      | delimiter       | behind a delimiter                  |
      | response-end    | behind a response end               |
      | empty-line      | behind an empty line                |
      | crowd           | in a list of 1100 commands          |
      | twice           | with each command twice             |
      | tabs            | with tabs                           |
      | vtabs           | with vertical tabs                  |
      | blank           | with a blank at the end             |
      | nul             | with a second zero byte             |
      | lengths         | with lengths in upper case          |
      | digits-64       | with ids of 64 digits               |
      | digits-7        | with ids of 7 digits                |
      | returns         | with carriage returns               |
      | spaces          | with two spaces                     |
      | values          | with two values for each ref        |
      | shallow         | with shallow lines in the list      |
      | many-caps       | with capabilities in each line      |
      | in-delimiter    | with a delimiter inside the list    |
      | in-flush        | with a flush inside the list        |
      | in-empty-line   | with an empty line inside the list  |
      | in-response-end | with a response end inside the list |

  @G01-PUSH-20.front @hostile
  Scenario Outline: in front of a signed command no unsigned one is carried out: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | refs/heads/evil | second |
      | refs/heads/main | second |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id           | form                             |
      | gap          | with capabilities without a gap  |
      | line-feeds   | with line feeds                  |
      | no-caps      | without capabilities             |
      | empty-line   | behind an empty line             |
      | twice        | with each command twice          |
      | tabs         | with tabs                        |
      | lengths      | with lengths in upper case       |
      | returns      | with carriage returns            |
      | spaces       | with two spaces                  |
      | many-caps    | with capabilities in each line   |
      | in-delimiter | with a delimiter inside the list |
      | in-flush     | with a flush inside the list     |

  @G01-PUSH-20.meaning @hostile
  Scenario Outline: ids that say <what> move nothing that is not signed
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes commands with the ids:
      | <ref> | <old> | <new> |
    Then no ref moved but as a state says
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id              | what                                  | ref             | old       | new       |
      | nothing         | nothing                               | refs/heads/dev  | (zero)    | (zero)    |
      | nothing-main    | nothing of a branch that has to move  | refs/heads/main | (zero)    | (zero)    |
      | nothing-new     | nothing of a branch that is not there | refs/heads/evil | (zero)    | (zero)    |
      | same            | that it is elsewhere and stays there  | refs/heads/dev  | first     | first     |
      | same-new        | that a branch is there and stays      | refs/heads/evil | second    | second    |
      | same-missing    | that it stays at what nobody has      | refs/heads/dev  | (missing) | (missing) |
      | deleted         | a deletion from elsewhere             | refs/heads/dev  | first     | (zero)    |
      | deleted-new     | a deletion from what was not pushed   | refs/heads/dev  | second    | (zero)    |
      | deleted-missing | a deletion from what nobody has       | refs/heads/dev  | (missing) | (zero)    |
      | moved           | a move from elsewhere                 | refs/heads/dev  | first     | second    |
      | moved-missing   | a move from what nobody has           | refs/heads/dev  | (missing) | second    |
      | made            | that a branch is new which is there   | refs/heads/dev  | (zero)    | second    |
      | gone            | a move to what nobody has             | refs/heads/dev  | side      | (missing) |

  @G01-PUSH-20.beside @hostile
  Scenario Outline: beside signed commands ids that say <what> move nothing that is not signed
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | first  |
    When a client pushes commands with the ids:
      | refs/heads/main | first  | second |
      | refs/heads/dev  | <old>  | <new>  |
      | refs/tags/v1    | (zero) | first  |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |

    Examples:
      | id              | what                                 | old       | new    |
      | nothing         | nothing                              | (zero)    | (zero) |
      | same            | that it is elsewhere and stays there | first     | first  |
      | deleted         | a deletion from elsewhere            | first     | (zero) |
      | deleted-missing | a deletion from what nobody has      | (missing) | (zero) |
      | made            | that a branch is new which is there  | (zero)    | second |

  @G01-PUSH-18 @hostile
  Scenario: commands inside a push certificate are not carried out unjudged
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes inside a certificate:
      | refs/heads/evil | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-18.cut @hostile
  Scenario Outline: nor are they wherever its packets were cut: <how>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <how>:
      | refs/heads/evil | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id     | how                            |
      | lines  | inside a certificate of lines  |
      | pieces | inside a certificate in pieces |

  @G01-PUSH-18.list @hostile
  Scenario: nor is what follows a signed command in one packet of it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes inside a certificate in one list:
      | refs/heads/main | second |
      | refs/heads/evil | second |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-20.whole @score:should @hostile
  Scenario Outline: of an atomic push with an unsigned <what> nothing is carried out, where such pushes are offered
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And pushes to the repository may have the capability atomic
    And the owner published the state:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |
    When a client pushes with the capability atomic:
      | <one>        | second |
      | <other>      | second |
      | refs/tags/v1 | first  |
    Then the push changes nothing
    But this push is accepted:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |

    Examples:
      | id     | what               | one             | other           |
      | behind | branch behind main | refs/heads/main | refs/heads/next |
      | before | branch before main | refs/heads/evil | refs/heads/main |

  @G01-PUSH-20.offered
  Scenario: a signed command with push options works where they are offered
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And pushes to the repository may have the capability push-options
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes with push options:
      | refs/heads/main | second |
    Then the push succeeds

  @G01-PUSH-20.silent @score:should
  Scenario: a signed command is carried out for who asks for no report
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes without capabilities:
      | refs/heads/main | second |
    Then the repository has exactly:
      | refs/heads/main | second |

  @G01-PUSH-20.legal
  Scenario Outline: a signed command works as git clients write it: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | refs/heads/main | second |
    Then the push succeeds

    Examples:
      | id         | form                            |
      | gap        | with capabilities without a gap |
      | line-feeds | with line feeds                 |
      | atomic     | with the capability atomic      |
      | band       | without the side-band           |
