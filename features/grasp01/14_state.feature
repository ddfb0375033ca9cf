Feature: Repository state
  A state says which commit each branch and tag is at; the latest one of the maintainer set counts.

  @N34-ST-01
  Scenario: a state names branches, tags and HEAD, and further elements mean nothing
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second            | first | unrelated |
      | refs/heads/dev  | side              |       |           |
      | refs/tags/v1    | tag               |       |           |
      | HEAD            | refs/heads/dev    |       |           |
    When a client pushes:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    Then the push succeeds
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | refs/tags/v1    | tag            |
      | HEAD            | refs/heads/dev |

  @N34-ST-01.further
  Scenario Outline: the <which> element of <whose> tag of a state authorizes nothing
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second | side  | first |
      | refs/tags/v1    | tag    | first |       |
    When a client pushes:
      | refs/heads/main | <main> |
      | refs/tags/v1    | <v1>   |
    Then the ref <ref> is refused
    But this push is accepted:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |

    Examples:
      | id     | which  | whose      | main   | v1    | ref             |
      | branch | third  | a branch's | side   | tag   | refs/heads/main |
      | fourth | fourth | a branch's | first  | tag   | refs/heads/main |
      | tag    | third  | a tag's    | second | first | refs/tags/v1    |

  @N34-ST-01.tags
  Scenario: a state may name tags and no branch
    Given the owner announced the repository
    When the owner publishes the state:
      | refs/tags/v1 | tag   |
      | refs/tags/v2 | first |
    Then the event is accepted
    When a client pushes:
      | refs/tags/v1 | tag   |
      | refs/tags/v2 | first |
    Then the push succeeds
    And the state is served
    And the announcement is served
    And the repository has exactly:
      | refs/tags/v1 | tag   |
      | refs/tags/v2 | first |

  @N34-ST-01.names
  Scenario Outline: a state names <what>, each for itself
    Given the owner announced the repository
    When the owner publishes the state:
      | refs/heads/main | first  |
      | <one>           | second |
      | <other>         | side   |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first  |
      | <one>           | second |
      | <other>         | side   |
    Then the push succeeds
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first  |
      | <one>           | second |
      | <other>         | side   |

    Examples:
      | id     | what                                            | one                     | other               |
      | alike  | a branch and a tag of one name                  | refs/heads/v1           | refs/tags/v1        |
      | part   | branches of one last part                       | refs/heads/a/v1         | refs/heads/b/v1     |
      | tags   | tags of one last part                           | refs/tags/a/v1          | refs/tags/b/v1      |
      | tag    | a branch that is called like a tag              | refs/heads/tags/v1      | refs/tags/v1        |
      | branch | a tag that is called like a branch              | refs/tags/heads/v1      | refs/heads/v1       |
      | head   | a branch that is called like HEAD               | refs/heads/HEAD2        | refs/tags/HEAD2     |

  @N34-ST-01.nested @score:should
  Scenario: a state names a branch whose name begins like a whole one
    Given the owner announced the repository
    When the owner publishes the state:
      | refs/heads/v1            | second |
      | refs/heads/refs/heads/v1 | side   |
    Then the event is accepted
    When a client pushes:
      | refs/heads/v1            | second |
      | refs/heads/refs/heads/v1 | side   |
    Then the push succeeds
    And the state is served
    And the repository has exactly:
      | refs/heads/v1            | second |
      | refs/heads/refs/heads/v1 | side   |

  @N34-ST-02
  Scenario: the peeled entry of a tag is no ref
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
      | refs/tags/v1^{} | first |
    When a client pushes:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @N34-ST-02.commit
  Scenario: the peeled entry of a tag authorizes no tag of its commit
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
      | refs/tags/v1^{} | first |
    When a client pushes:
      | refs/heads/main | first |
      | refs/tags/v1    | first |
    Then the ref refs/tags/v1 is refused
    But this push is accepted:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @G01-LAT-01
  Scenario: a maintainer's newer state counts more than the owner's
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 100:
      | refs/heads/main | side |
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-LAT-01.arrival
  Scenario: time decides and not the order of arrival
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    And the owner sent the state dated 100:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-LAT-01.ties
  Scenario Outline: of two states of one time the lower id counts, the <order> one first
    Given the owner announced the repository
    And two states of one time by the owner arrived, the <order> id first
    When a client pushes what the state with the lower id says
    Then the push succeeds

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @G01-LAT-01.authors @score:should
  Scenario: of two authors' states of one time the lower id counts
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And two states of one time by the owner and the maintainer arrived
    When a client pushes what the state with the lower id says
    Then the push succeeds

  @G01-LAT-01.loser-held @score:should
  Scenario Outline: of two states of one time the higher id authorizes nothing while both wait, the <first> one first
    Given the owner announced the repository
    And the <first> of two states of one time by the owner arrived
    And the <then> of two states of one time by the owner arrived
    When a client pushes what the state with the higher id says
    Then the push is refused
    But a push of what the state with the lower id says succeeds

    Examples:
      | id     | first  | then   |
      | lower  | lower  | higher |
      | higher | higher | lower  |

  @G01-LAT-01.winner-late
  Scenario: a state of the time of a served one and of a lower id takes its place
    Given the owner announced the repository
    And the higher of two states of one time by the owner arrived
    And a client pushed what the state with the higher id says
    When the lower of two states of one time by the owner arrives
    Then the event is accepted
    And the repository comes to have what the state with the lower id says

  @G01-LAT-01.loser-late
  Scenario: a state of one time and a higher id moves nothing and authorizes nothing
    Given the owner announced the repository
    And the lower of two states of one time by the owner arrived
    And a client pushed what the state with the lower id says
    When the higher of two states of one time by the owner arrives
    Then the repository still has exactly what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.loser-early
  Scenario: a served state that loses by its id authorizes nothing any more
    Given the owner announced the repository
    And the higher of two states of one time by the owner arrived
    And a client pushed what the state with the higher id says
    And the lower of two states of one time by the owner arrived
    And a client pushed what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.loser-waits
  Scenario: a state with the higher id authorizes nothing after both have waited
    Given the owner announced the repository
    And the lower of two states of one time by the owner arrived
    And the higher of two states of one time by the owner arrived
    And a client pushed what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.loser-present
  Scenario: a state with the higher id moves nothing back to a commit that is here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "one" of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published a pull request "two" of the commit second
    And a client pushed the commit second for the pull request
    And the higher of two states of one time by the owner arrived
    And a client pushed what the state with the higher id says
    When the lower of two states of one time by the owner arrives
    And a client pushed what the state with the lower id says
    Then the repository still has exactly what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.loser-there
  Scenario: a late state with the higher id moves nothing to a commit that is here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "one" of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published a pull request "two" of the commit second
    And a client pushed the commit second for the pull request
    And the lower of two states of one time by the owner arrived
    And a client pushed what the state with the lower id says
    When the higher of two states of one time by the owner arrives
    Then the repository still has exactly what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.loser-authors @score:should
  Scenario Outline: of two authors' states of one time the higher id counts for nothing, the <first> one first
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the <first> of two states of one time by the owner and the maintainer arrived
    And a client pushed what the state with the <first> id says
    When the <then> of two states of one time by the owner and the maintainer arrives
    And a client pushed what the state with the lower id says
    Then the repository still has exactly what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

    Examples:
      | id     | first  | then   |
      | lower  | lower  | higher |
      | higher | higher | lower  |

  @G01-LAT-02.own
  Scenario: an older state of the same author moves nothing and authorizes nothing
    Given the owner announced the repository
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    When the owner sends the state dated 100:
      | refs/heads/main | side |
    Then the repository still has exactly:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | second |
    But the same push is accepted once the owner published such a state

  @G01-LAT-02.own-present
  Scenario: an older state of the same author moves nothing to a commit that is here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the owner published the state dated 600:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    When the owner sends the state dated 590:
      | refs/heads/main | side |
    Then the repository still has exactly:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But the same push is accepted once the owner published such a state

  @G01-LAT-02.head
  Scenario: an older state of the same author moves HEAD nowhere
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    When the owner sends the state dated 1:
      | refs/heads/main | first          |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    Then the event is answered without a failure
    And the repository still has exactly:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |

  @G01-LAT-02.own-held @score:should
  Scenario: an older state of the same author authorizes nothing while a newer one waits
    Given the owner announced the repository
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And the owner sent the state dated 100:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

  @G01-LAT-02
  Scenario: an older state that arrives later moves nothing
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    When the maintainer sends the state dated 100:
      | refs/heads/main | first |
    Then the repository still has exactly:
      | refs/heads/main | second |
    But the same state by the maintainer dated 300 moves the refs

  @G01-LAT-02.released
  Scenario: an older state that waited for its commits moves nothing when they come
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the maintainer published the state dated 100:
      | refs/heads/main | side |
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    And the contributor published a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | second |

  @G01-LAT-02.push
  Scenario: an older state that arrives later authorizes nothing
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    And the maintainer sent the state dated 100:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But the same push is accepted once the maintainer published the state dated 300:
      | refs/heads/main | side |

  @N34-ST-03
  Scenario: the entry of an annotated tag names the tag object
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | first |
      | refs/tags/v1    | first |
    When a client pushes:
      | refs/tags/v1 | tag |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @N34-ST-04
  Scenario Outline: an entry that is <what> is never applied
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner sends the state:
      | refs/heads/main | first   |
      | refs/heads/evil | <value> |
    Then the repository still has exactly:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/evil | second |
    And the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first  |
      | refs/heads/evil | second |

    Examples:
      | id       | what                | value      |
      | no-hex   | not hexadecimal     | (no hex)   |
      | short    | a short object id   | (short)    |
      | zero     | the zero object id  | (zero)     |
      | symbolic | a symbolic ref      | (symbolic) |

  @N34-ST-05
  Scenario: a HEAD without its usual prefix is taken or ignored
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    When the owner sends the state:
      | refs/heads/main | first          |
      | refs/heads/dev  | side           |
      | HEAD (bare)     | refs/heads/dev |
    Then the repository still has exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner publishes the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    And the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And HEAD is refs/heads/dev in protocol version 0

  @N34-ST-06
  Scenario: a state gives no authority over other refs
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | second |
      | refs/notes/x    | second |
    When a client pushes:
      | refs/heads/main | second |
      | refs/notes/x    | second |
    Then the ref refs/notes/x is refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

  @N34-ST-07
  Scenario: a state without refs permits no ref
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | HEAD | refs/heads/main |
    When a client pushes:
      | refs/heads/evil | second |
    Then the push is refused
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @N34-ST-08
  Scenario: of two entries for one ref at most one counts
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | second |
      | refs/heads/main | side   |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is accepted or refused
    When a client pushes:
      | refs/heads/main | side |
    Then at most one of the two pushes was accepted
    And the owner published the state:
      | refs/heads/main | third |
    But this push is accepted:
      | refs/heads/main | third |

  @N34-ST-09
  Scenario: a tag of another form declares no ref
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | second          |        |
      | r               | refs/heads/evil | second |
    When a client pushes:
      | refs/heads/evil | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first  |
      | refs/heads/evil | second |

  @G01-LAT-03
  Scenario: a state from the far future is refused, or acts as the latest
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner sends the state dated 90000:
      | refs/heads/main | second |
    Then the answer to the event is recorded
    And a client pushes:
      | refs/heads/main | second |
    And the push is accepted or refused

  @N34-ST-09.bare
  Scenario: tags of one element declare nothing
    Given the owner announced the repository
    When the owner publishes an event of kind 30618 with the tags:
      | ["r"]                        |
      | ["e"]                        |
      | ["main"]                     |
      | ["d","{identifier}"]         |
      | ["refs/heads/main","{first}"] |
      | ["HEAD","ref: refs/heads/main"] |
      | ["p"]                        |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first           |

  @N34-ST-01.order
  Scenario Outline: a state says the same in whatever order its tags are: <order>
    Given the owner announced the repository
    When the owner publishes an event of kind 30618 with the tags:
      | <one>   |
      | <two>   |
      | <three> |
      | <four>  |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first  |
      | refs/heads/dev  | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first  |
      | refs/heads/dev  | second |
    And HEAD is refs/heads/dev in protocol version 2

    Examples:
      | id     | order           | one                            | two                            | three                           | four                            |
      | head   | HEAD first      | ["HEAD","ref: refs/heads/dev"] | ["d","{identifier}"]           | ["refs/heads/main","{first}"]   | ["refs/heads/dev","{second}"]   |
      | middle | HEAD between    | ["refs/heads/dev","{second}"]  | ["HEAD","ref: refs/heads/dev"] | ["refs/heads/main","{first}"]   | ["d","{identifier}"]            |
      | last   | identifier last | ["refs/heads/main","{first}"]  | ["refs/heads/dev","{second}"]  | ["HEAD","ref: refs/heads/dev"]  | ["d","{identifier}"]            |

  @N34-ST-05.elsewhere
  Scenario Outline: a HEAD that names <what> does no harm
    Given the owner announced the repository
    When the owner publishes an event of kind 30618 dated 100 with the tags:
      | ["d","{identifier}"]          |
      | ["refs/heads/main","{first}"] |
      | ["HEAD","<value>"]            |
    Then the event is answered without a failure
    And the owner published the state dated 200:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |

    Examples:
      | id     | what                   | value                   |
      | tag    | a tag                  | ref: refs/tags/v1       |
      | notes  | a ref that is no head  | ref: refs/notes/x       |
      | dots   | no name of a branch    | ref: refs/heads/..      |
      | nobody | nothing                | ref:                    |
      | empty  | an empty text          |                         |

  @N34-ST-04.odd
  Scenario Outline: a state with <what> does no harm
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner publishes an event of kind 30618 with the tags:
      | ["d","{identifier}"]          |
      | ["refs/heads/main","{first}"] |
      | <tag>                         |
    Then the event is answered without a failure
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state is still served, unless the event was taken in its place
    And the contributor published a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

    Examples:
      | id       | what                           | tag                                             |
      | bare     | a branch without an id         | ["refs/heads/dev"]                              |
      | empty    | an empty id                    | ["refs/heads/dev",""]                           |
      | capitals | an id in capitals              | ["refs/heads/dev","AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] |
      | long     | an id of a digit more          | ["refs/heads/dev","{first}0"]                   |
      | dots     | a branch that leaves its place | ["refs/heads/../dev","{first}"]                 |
      | no-name  | a branch without a name        | ["refs/heads/","{first}"]                       |
      | tag      | a tag without a name           | ["refs/tags/","{first}"]                        |

  @N34-ST-04.below
  Scenario: a state with a branch below another does no harm, whether a repository can have both or not
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner publishes an event of kind 30618 with the tags:
      | ["d","{identifier}"]              |
      | ["refs/heads/main","{first}"]     |
      | ["refs/heads/main/dev","{first}"] |
    Then the event is answered without a failure
    And the repository still has exactly, with the last row or without it:
      | refs/heads/main     | first |
      | refs/heads/main/dev | first |
    And the state is still served, unless the event was taken in its place
    And the contributor published a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served
