Feature: Push authorization
  A push is accepted when it makes branches and tags equal to the latest state, by whomever it is sent.

  @G01-PUSH-01
  Scenario: the first push of the latest state succeeds
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-GIT-01.each-answer
  Scenario: each advertisement shows what a push has brought five seconds ago, whoever answers
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then 5 seconds later each of 12 answers shows exactly:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And 5 seconds later each of 12 answers shows exactly:
      | refs/heads/main | second |

  @G01-PUSH-01.said @further
  Scenario Outline: the first push of the latest state succeeds where the announcement has <what>
    Given the owner announced the repository with:
      | <tag> | <value> |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

    Examples:
      | id          | what                       | tag         | value                                         |
      | fork        | the mark of a fork         | u           | 30617:{stranger}:{identifier}                 |
      | personal    | the mark of one's own fork | t           | personal-fork                                 |
      | euc         | an earliest unique commit  | r           | 1111111111111111111111111111111111111111, euc |
      | clones      | other git hosts, too       | clone       | {scheme}://{host}/{npub}/{identifier}.git, https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | other relays, too          | relays      | {ws}://{host}, wss://relay.example.invalid    |
      | web         | a web page                 | web         | https://one.example.invalid                   |
      | maintainers | two maintainers            | maintainers | {maintainer}, {stranger}                      |

  @G01-PUSH-01.dressed @further
  Scenario: repositories whose announcement and state are in every dress take their first pushes
    Given repositories of the owner in every dress were announced, with states in the same dresses
    Then each of them takes its first push

  @G01-PUSH-01.dozen @further
  Scenario: the first push of twelve branches succeeds
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/a | first  |
      | refs/heads/b | first  |
      | refs/heads/c | second |
      | refs/heads/d | side   |
      | refs/heads/e | first  |
      | refs/heads/f | second |
      | refs/heads/g | side   |
      | refs/heads/h | first  |
      | refs/heads/i | second |
      | refs/heads/j | side   |
      | refs/heads/k | first  |
      | refs/heads/l | second |
    When a client pushes:
      | refs/heads/a | first  |
      | refs/heads/b | first  |
      | refs/heads/c | second |
      | refs/heads/d | side   |
      | refs/heads/e | first  |
      | refs/heads/f | second |
      | refs/heads/g | side   |
      | refs/heads/h | first  |
      | refs/heads/i | second |
      | refs/heads/j | side   |
      | refs/heads/k | first  |
      | refs/heads/l | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/a | first  |
      | refs/heads/b | first  |
      | refs/heads/c | second |
      | refs/heads/d | side   |
      | refs/heads/e | first  |
      | refs/heads/f | second |
      | refs/heads/g | side   |
      | refs/heads/h | first  |
      | refs/heads/i | second |
      | refs/heads/j | side   |
      | refs/heads/k | first  |
      | refs/heads/l | second |

  @G01-PUSH-01.left
  Scenario: clients who left in the middle of their pushes keep nobody from pushing
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | large |
    When 2 clients leave in the middle of their pushes to the repository:
      | refs/heads/main | large |
    And a client pushes:
      | refs/heads/main | large |
    Then the push succeeds

  @G01-PUSH-01.crowd @further
  Scenario: newer states of that identifier by the owners of others leave the push that the owner's state says
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And 12 others announced the repository, each with a state of main at second
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-PUSH-01.emptied
  Scenario: a repository whose last branch has gone can be pushed to
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | HEAD | refs/heads/main |
    When a client pushes:
      | refs/heads/main | (delete) |
    Then the push is accepted or refused
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-PUSH-02
  Scenario: without a state no push succeeds
    Given the owner announced the repository
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @G01-PUSH-03
  Scenario: another commit than the state names is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-03.many @further
  Scenario Outline: behind <count> branches that the state names one is refused that it does not name
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published a state of <count> branches
    When a client pushes all of them, and a branch that no state names behind them
    Then no ref moved but as a state says
    But a push of those that it names is accepted

    Examples:
      | id      | count |
      | seventy | 70    |
      | more    | 640   |

  @G01-PUSH-03.said @further
  Scenario Outline: what no state names is refused where the announcement has <what>
    Given the owner announced the repository with:
      | <tag> | <value> |
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
      | refs/heads/evil | side   |
    Then the ref refs/heads/evil is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id          | what                      | tag         | value                                         |
      | fork        | the mark of a fork        | u           | 30617:{stranger}:{identifier}                 |
      | personal    | the mark of one's own fork | t         | personal-fork                                 |
      | euc         | an earliest unique commit | r           | 1111111111111111111111111111111111111111, euc |
      | clones      | other git hosts, too      | clone       | {scheme}://{host}/{npub}/{identifier}.git, https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | other relays, too         | relays      | {ws}://{host}, wss://relay.example.invalid    |
      | web         | a web page                | web         | https://one.example.invalid                   |
      | maintainers | two maintainers           | maintainers | {maintainer}, {stranger}                      |

  @G01-PUSH-03.called @further
  Scenario Outline: what no state names is refused of a <form> with <what> in its name, alone and last of two
    Given the owner announced the repository
    And the owner published the state:
      | HEAD  | refs/heads/main |
      | <ref> | second          |
    When a client pushes:
      | <ref> | side |
    Then the push is refused
    When a client pushes:
      | <ref>   | second |
      | <other> | side   |
    Then the ref <other> is refused
    But this push is accepted:
      | <ref> | second |

    Examples:
      | id       | form   | what     | ref                         | other                     |
      | slashes  | branch | slashes  | refs/heads/feature/deep/one | refs/heads/feature/deep/x |
      | dots     | branch | dots     | refs/heads/release-1.0.x    | refs/heads/release-1.1.x  |
      | capitals | branch | capitals | refs/heads/Feature-A        | refs/heads/Feature-B      |
      | tag      | tag    | dots     | refs/tags/v1.0.0            | refs/tags/v1.0.1          |

  @G01-PUSH-03.crossed
  Scenario Outline: commits that the state names for other refs are refused, of <what>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
      | <ref>           | side   |
    When a client pushes:
      | refs/heads/main | side   |
      | <ref>           | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |
      | <ref>           | side   |

    Examples:
      | id       | what               | ref            |
      | branches | two branches       | refs/heads/dev |
      | tag      | a branch and a tag | refs/tags/v1   |

  @G01-PUSH-04
  Scenario: a branch that the state does not name is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/dev | side |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-PUSH-04.alike
  Scenario Outline: a ref whose name is like a declared one is another one: <how>
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/tags/v1    | first |
    When a client pushes:
      | <ref> | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | first |
      | <ref>           | first |

    Examples:
      | id      | how                            | ref               |
      | capital | in other letters               | refs/heads/Main   |
      | longer  | longer                         | refs/heads/main-2 |
      | shorter | shorter                        | refs/heads/mai    |
      | tag     | a tag that is called so        | refs/tags/main    |
      | branch  | a branch that is called so     | refs/heads/v1     |
      | behind  | a branch that ends so          | refs/heads/x/main |

  @G01-PUSH-04.pattern
  Scenario Outline: a declared name that some would read as a pattern is the name of one ref: <how>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | first |
      | <declared>      | side  |
    When a client pushes:
      | refs/heads/dev-1 | side |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main  | first |
      | refs/heads/dev-1 | side  |

    Examples:
      | id         | how                      | declared           |
      | star       | a star                   | refs/heads/*       |
      | stars      | two stars                | refs/**            |
      | question   | a question mark          | refs/heads/dev-?   |
      | class      | brackets                 | refs/heads/dev-[1] |
      | dot        | a dot                    | refs/heads/dev.1   |
      | underscore | an underscore            | refs/heads/dev_1   |
      | percent    | a percent sign           | refs/heads/dev%1   |
      | folder     | what may be a folder     | refs/heads/dev     |
      | plus       | a plus                   | refs/heads/dev-1+  |
      | bar        | a bar                    | refs/heads/(x\|dev-1) |

  @G01-PUSH-01.names
  Scenario Outline: a branch may have <what> in its name
    Given the owner announced the repository
    When the owner publishes the state:
      | <ref> | first |
    Then the event is accepted
    When a client pushes:
      | <ref> | first |
    Then the push succeeds
    And the repository has exactly:
      | <ref> | first |

    Examples:
      | id      | what                    | ref                               |
      | slashes | slashes                 | refs/heads/feature/deep/one       |
      | dots    | dots                    | refs/heads/release-1.0.x          |
      | signs   | signs                   | refs/heads/fix_#12+a=b,c          |
      | word    | a word of programs      | refs/heads/__proto__              |

  @G01-PUSH-01.letters @score:should
  Scenario Outline: a branch may have <what>
    Given the owner announced the repository
    When the owner publishes the state:
      | <ref> | first |
    Then the event is accepted
    When a client pushes:
      | <ref> | first |
    Then the push succeeds
    And the repository has exactly:
      | <ref> | first |

    Examples:
      | id      | what                            | ref                               |
      | letters | letters of any script in its name | refs/heads/größe-🚀              |
      | length  | a name of more than a hundred letters | refs/heads/a-branch-of-a-name-that-somebody-has-taken-from-the-title-of-an-issue-and-that-goes-on-and-on-and-on-until-everybody-has-understood-it |

  @G01-PUSH-09.twins @score:should
  Scenario Outline: branches whose names differ by <what> alone are two
    Given the owner announced the repository
    When the owner publishes the state:
      | <one>   | first  |
      | <other> | second |
    Then the event is accepted
    When a client pushes:
      | <one>   | first  |
      | <other> | second |
    Then the push succeeds
    And the repository has exactly:
      | <one>   | first  |
      | <other> | second |

    Examples:
      | id      | what                  | one                | other              |
      | capital | a capital letter      | refs/heads/next    | refs/heads/Next    |
      | parts   | a letter in two parts | refs/heads/größe   | refs/heads/größe  |

  @G01-PUSH-05
  Scenario Outline: a <form> tag is refused without the state and accepted with it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/tags/v1 | <object> |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first    |
      | refs/tags/v1    | <object> |

    Examples:
      | id        | form      | object |
      | plain     | plain     | side   |
      | annotated | annotated | tag    |

  @G01-PUSH-05.first
  Scenario: tags of both forms are accepted with the first push
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main  | second |
      | refs/tags/plain  | first  |
      | refs/tags/signed | tag    |
    When a client pushes:
      | refs/heads/main  | second |
      | refs/tags/plain  | first  |
      | refs/tags/signed | tag    |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/tags/plain  | first  |
      | refs/tags/signed | tag    |

  @G01-PUSH-06
  Scenario: a branch may be rewritten
    Given the owner's repository is served with:
      | refs/heads/main | second |
    And the owner published the state:
      | refs/heads/main | unrelated |
    When a client pushes:
      | refs/heads/main | unrelated |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | unrelated |

  @G01-PUSH-06.tag
  Scenario Outline: a <form> tag may be moved
    Given the owner's repository is served with:
      | refs/heads/main | first    |
      | refs/tags/v1    | <before> |
    And the owner published the state:
      | refs/heads/main | first    |
      | refs/tags/v1    | <behind> |
      | refs/heads/dev  | third    |
    When a client pushes:
      | refs/tags/v1   | <behind> |
      | refs/heads/dev | third    |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first    |
      | refs/tags/v1    | <behind> |
      | refs/heads/dev  | third    |

    Examples:
      | id        | form      | before | behind |
      | plain     | plain     | first  | side   |
      | annotated | annotated | tag    | outer  |

  @G01-PUSH-07
  Scenario: a branch that the state no longer names may be deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-PUSH-07.head
  Scenario: the branch of HEAD may be deleted once HEAD is elsewhere
    Given the owner's repository is served with:
      | refs/heads/main  | first           |
      | refs/heads/trunk | side            |
      | HEAD             | refs/heads/main |
    And the owner published the state:
      | refs/heads/trunk | second           |
      | HEAD             | refs/heads/trunk |
    When a client pushes:
      | refs/heads/trunk | second   |
      | refs/heads/main  | (delete) |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/trunk | second |

  @G01-PUSH-07.tag
  Scenario: a tag that the state no longer names may be deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second   |
      | refs/tags/v1    | (delete) |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-PUSH-07.alike
  Scenario: a branch that the state no longer names may be deleted though it names one that begins so
    Given the owner's repository is served with:
      | refs/heads/main  | first |
      | refs/heads/dev   | side  |
      | refs/heads/dev-2 | side  |
    And the owner published the state:
      | refs/heads/main  | second |
      | refs/heads/dev-2 | side   |
    When a client pushes:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/dev-2 | side   |

  @G01-PUSH-07.gone @score:should
  Scenario: a branch that is gone by the state alone when its deletion comes counts as deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes commands with the ids:
      | refs/heads/dev | (seen) | (zero) |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-PUSH-07.gone-beside @score:should
  Scenario: beside what else the state says, a branch and a tag that are gone by it count as deleted
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes commands with the ids:
      | refs/heads/dev  | (seen) | (zero) |
      | refs/heads/main | (seen) | first  |
      | refs/tags/v1    | (seen) | (zero) |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-PUSH-08.nothing @hostile
  Scenario: a deletion without an old value does not delete what the state names
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes commands with the ids:
      | refs/heads/dev | (zero) | (zero) |
    Then the push changes nothing
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |

  @G01-PUSH-08
  Scenario: a branch that the state names cannot be deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes:
      | refs/heads/dev | (delete) |
    Then the push is refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |

  @G01-PUSH-08.places
  Scenario Outline: a first push that leaves out the <place> ref moves no ref elsewhere
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/a    | side   |
      | refs/heads/main | second |
      | refs/tags/z     | first  |
    When a client pushes:
      | <one>   | <of one>   |
      | <other> | <of other> |
    Then the push is accepted or refused
    And no ref moved but as a state says

    Examples:
      | id     | place  | one             | of one | other           | of other |
      | first  | first  | refs/heads/main | second | refs/tags/z     | first    |
      | middle | middle | refs/heads/a    | side   | refs/tags/z     | first    |
      | last   | last   | refs/heads/a    | side   | refs/heads/main | second   |

  @G01-PUSH-04.places
  Scenario Outline: a ref that the state does not name is refused, sorted <place>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |
    When a client pushes:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |
      | <ref>           | side   |
    Then the ref <ref> is refused
    And no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |
      | refs/tags/v1    | first  |

    Examples:
      | id     | place          | ref             |
      | first  | before them    | refs/heads/a    |
      | middle | in the middle  | refs/heads/next |
      | last   | behind them    | refs/tags/z     |

  @G01-PUSH-09
  Scenario: branches and tags may be pushed together
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main  | third     |
      | refs/heads/dev   | side      |
      | refs/heads/other | unrelated |
      | refs/tags/v1     | tag       |
      | refs/tags/v2     | second    |
    When a client pushes:
      | refs/heads/main  | third     |
      | refs/heads/dev   | side      |
      | refs/heads/other | unrelated |
      | refs/tags/v1     | tag       |
      | refs/tags/v2     | second    |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main  | third     |
      | refs/heads/dev   | side      |
      | refs/heads/other | unrelated |
      | refs/tags/v1     | tag       |
      | refs/tags/v2     | second    |

  @G01-PUSH-09.reported
  Scenario: the report of a push names each of its refs
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | third  |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v2    | second |
    When a client pushes:
      | refs/heads/main | third  |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v2    | second |
    Then the push succeeds
    And the report names each ref of the push

  @G01-PUSH-12
  Scenario: refs that are right already need not be pushed
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes:
      | refs/heads/dev | side |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-PUSH-13
  Scenario: a maintainer's state authorizes a push
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-PUSH-13.recursive
  Scenario: the state of a maintainer's maintainer authorizes a push
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the second maintainer
    And the second maintainer announced the repository naming the maintainer
    And the owner published the state dated 100:
      | refs/heads/main | side |
    And the second maintainer published the state dated 200:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-PUSH-13.two
  Scenario: a maintainer's state authorizes pushes to the repository of each owner that names the maintainer
    Given the owner announced the repository naming the maintainer
    And the contributor announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner and the contributor
    And the maintainer published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    When a client pushes to the contributor's repository:
      | refs/heads/main | first |
    Then the push succeeds

  @G01-PUSH-14
  Scenario: a stranger's state authorizes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PUSH-14.phases
  Scenario Outline: a stranger's state authorizes nothing where the stranger's repository <theirs> and the owner's <own>
    Given the stranger's repository <theirs>
    And the owner's repository <own>
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published such a state

    Examples:
      | id               | theirs                                                    | own                                                      |
      | held-announced   | waits with main at second                                 | is announced                                             |
      | held-held        | waits with main at second                                 | waits with main at first                                 |
      | held-served      | waits with main at second                                 | is served with main at first                             |
      | held-next        | waits with main at second                                 | is served with main at first, and the commit third waits |
      | served-announced | is served with main at second                             | is announced                                             |
      | served-held      | is served with main at second                             | waits with main at first                                 |
      | served-served    | is served with main at second                             | is served with main at first                             |
      | served-next      | is served with main at second                             | is served with main at first, and the commit third waits |
      | next-announced   | is served with main at first, and the commit second waits | is announced                                             |
      | next-held        | is served with main at first, and the commit second waits | waits with main at first                                 |
      | next-served      | is served with main at first, and the commit second waits | is served with main at first                             |
      | next-next        | is served with main at first, and the commit second waits | is served with main at first, and the commit third waits |

  @G01-PUSH-14.unannounced
  Scenario Outline: the state of a stranger who announced nothing authorizes nothing where the owner's repository <own>
    Given the owner's repository <own>
    And a state of the stranger of main at second was answered, yes or no
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published such a state

    Examples:
      | id        | own                                                      |
      | announced | is announced                                             |
      | held      | waits with main at first                                 |
      | next      | is served with main at first, and the commit third waits |

  @G01-PUSH-14.later
  Scenario Outline: a stranger's state that comes last authorizes nothing where the owner's repository <own>
    Given the owner's repository <own>
    And the stranger's repository waits with main at second
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push to the stranger's repository is accepted

    Examples:
      | id        | own                                                      |
      | announced | is announced                                             |
      | held      | waits with main at first                                 |
      | served    | is served with main at first                             |
      | next      | is served with main at first, and the commit third waits |

  @G01-PUSH-15
  Scenario: a push needs no authentication
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the repository asks for no authentication
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds

  @G01-PUSH-16
  Scenario: pushing what is there changes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-PUSH-16.tag
  Scenario: pushing a tag that is there changes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    When a client pushes:
      | refs/tags/v1 | tag |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @G01-PUSH-17
  Scenario Outline: a ref that is no branch, tag or pull request is refused: <ref>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | <ref> | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id      | ref                                                    |
      | notes   | refs/notes/x                                           |
      | pull    | refs/pull/1/head                                       |
      | config  | refs/meta/config                                       |
      | short   | refs/x                                                 |
      | for     | refs/for/main                                          |
      | stash   | refs/stash                                             |
      | replace | refs/replace/1111111111111111111111111111111111111111 |

    @G01-PUSH-17 @hostile
    Examples:
      | id    | ref        |
      | head  | HEAD       |
      | heads | refs/heads |

  @G01-PUSH-17.mixed
  Scenario: a foreign ref inside an authorized push is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
      | refs/notes/x    | second |
    Then the ref refs/notes/x is refused
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-10
  Scenario Outline: in a mixed push the <what> without a state never appears
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | <one>   | second |
      | <other> | second |
    Then the ref <refused> is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id     | what               | one             | other           | refused         |
      | behind | branch behind main | refs/heads/main | refs/heads/evil | refs/heads/evil |
      | before | branch before main | refs/heads/evil | refs/heads/main | refs/heads/evil |
      | tag    | tag                | refs/heads/main | refs/tags/evil  | refs/tags/evil  |

  @G01-PUSH-11
  Scenario: a push of a part of the state is accepted or refused, and the whole state can be pushed
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is accepted or refused
    But this push is accepted:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @G01-PUSH-27
  Scenario: branches below pr are accepted or refused like others
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | first |
      | refs/heads/pr/x | side  |
    When a client pushes:
      | refs/heads/pr/x | side |
    Then the push is accepted or refused

  @G01-PUSH-31
  Scenario Outline: a push to <what> ends in a clear refusal
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | <ref> | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id    | what                   | ref                  |
      | head  | the symbolic ref       | HEAD                 |
      | below | a name below a branch  | refs/heads/main/x    |
      | named | a branch called HEAD   | refs/heads/HEAD      |

  @G01-PUSH-31.conflict
  Scenario: a signed name below a branch is taken or refused, and harms nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main   | first  |
      | refs/heads/main/x | second |
    When a client pushes:
      | refs/heads/main/x | second |
    Then the push is accepted or refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-01.back
  Scenario: a branch that a push has deleted can be pushed again
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | third  |
    When a client pushes:
      | refs/heads/dev | third |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | third  |

  @G01-PUSH-01.freed
  Scenario Outline: the name of a branch that a push has deleted is free for <what>
    Given the owner's repository is served with:
      | refs/heads/main  | first |
      | refs/heads/<old> | side  |
    And the owner published the state:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main  | second   |
      | refs/heads/<old> | (delete) |
    And the owner published the state:
      | refs/heads/main  | second |
      | refs/heads/<new> | third  |
    When a client pushes:
      | refs/heads/<new> | third |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main  | second |
      | refs/heads/<new> | third  |

    Examples:
      | id    | what                    | old         | new         |
      | above | one that it begins with | dev/one/two | dev         |
      | below | one that begins so      | dev         | dev/one/two |

  @G01-PUSH-01.often
  Scenario: the sixth state of a repository authorizes its push as the first one does
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | second |
    When the owner publishes the state:
      | refs/heads/main | third |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | third |
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | second |
    When the owner publishes the state:
      | refs/heads/main | side |
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | side |
    And the state is served
    And the repository has exactly:
      | refs/heads/main | side |

  @G01-PUSH-02.anew @score:should
  Scenario: a state that was deleted authorizes no push to the repository that is announced anew
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the owner's request to delete the state is taken
    And the owner's request to delete the announcement is taken
    And the owner announced the repository
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |
