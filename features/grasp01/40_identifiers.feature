Feature: Identifiers beside their neighbours
  An identifier with a colon, a suffix, another case or an escape is not the one that it looks like, in paths and in
  addresses.

  @G01-ANN-11.neighbour
  Scenario Outline: an identifier with <what> is not its neighbour
    Given the owner's repository "near" is called <near>
    And the owner's repository "odd" is called <odd>
    And the owner's repository "near" is served, if its identifier is taken, with:
      | refs/heads/main | first |
    When the owner announces the repository "odd"
    Then the event is accepted, or such an identifier is not taken here
    And the owner published the state "odd" of the repository "odd":
      | refs/heads/main | second |
    When a client pushes to the owner's repository "odd":
      | refs/heads/main | first |
    Then the push is refused
    When a client pushes to the owner's repository "odd":
      | refs/heads/main | second |
    Then the push succeeds
    And the owner's repository "odd" has exactly:
      | refs/heads/main | second |
    And the owner's repository "near" still has exactly:
      | refs/heads/main | first |
    And the announcement "odd" is served
    And the state "odd" is served
    And the announcement "near" is still served
    And the state "near" is still served

    Examples:
      | id       | what                       | odd                  | near             |
      | colon    | a colon                    | {identifier}:y       | {identifier}     |
      | colons   | a colon more               | {identifier}::y       | {identifier}:y   |
      | suffix   | the suffix of repositories | {identifier}.git     | {identifier}     |
      | suffixes | that suffix twice          | {identifier}.git.git | {identifier}.git |
      | inside   | that suffix inside it      | {identifier}.git.io  | {identifier}     |
      | upper    | upper case                 | X-{identifier}       | x-{identifier}   |
      | space    | a space                    | {identifier} y       | {identifier}+y   |
      | percent  | percent text               | {identifier}%2ey     | {identifier}.y   |
      | dot      | a dot before it            | .{identifier}        | {identifier}     |
      | ends     | a dot behind it            | {identifier}.        | {identifier}     |
      | accent   | a composed letter         | {identifier}-é       | {identifier}-é  |
      | dash     | a dash                     | {identifier}-y       | {identifier}_y   |
      | under    | an underscore              | {identifier}_y       | {identifier}-y   |
      | wild     | a percent sign behind it   | {identifier}-%       | {identifier}-y   |
      | long     | a long beginning           | {identifier}-a-name-of-more-than-sixty-four-letters-in-all-with-this-end | {identifier}-a-name-of-more-than-sixty-four-letters-in-all-with-this-and |
      | colon-first | a colon before it       | y:{identifier}       | {identifier}     |
      | letter   | a letter in two parts      | {identifier}-é       | {identifier}-é  |
      | blank    | a blank behind it          | {identifier}{blank}  | {identifier}     |
      | word     | a word of programs         | __proto__            | {identifier}     |
      | zeros    | digits behind a zero       | 007                  | 7                |
      | power    | digits and an e            | 1e3                  | 1000             |

  @G01-PUSH-01.identifier @further
  Scenario Outline: the first push to a repository whose identifier has <what> succeeds, and no other, if it is taken
    Given the owner's repository "odd" is called <odd>
    When the owner announces the repository "odd"
    Then the event is accepted, or such an identifier is not taken here
    And the owner published the state "odd" of the repository "odd":
      | refs/heads/main | second |
    When a client pushes to the owner's repository "odd":
      | refs/heads/main | side |
    Then the push is refused
    When a client pushes to the owner's repository "odd":
      | refs/heads/main | second |
    Then the push succeeds

    Examples:
      | id       | what                         | odd                  |
      | length   | more than sixty letters      | {identifier}-a-name-of-more-than-sixty-four-letters-in-all-with-this-end |
      | dot      | a dot                        | {identifier}.io      |
      | capitals | capitals                     | X-{identifier}       |
      | digits   | nothing but digits           | 20261127             |
      | letters  | letters beyond ASCII         | {identifier}-größe   |

  @G01-REL-01.neighbour
  Scenario Outline: what refers to an identifier with <what> is taken and found by that alone
    Given the owner's repository "near" is called <near>
    And the owner's repository "odd" is called <odd>
    And the owner's repository "near" is served, if its identifier is taken, with:
      | refs/heads/main | first |
    And the owner's repository "odd" is served, if its identifier is taken, with:
      | refs/heads/main | second |
    When the contributor publishes an issue naming the owner's repository "odd" by a
    Then the event is accepted
    And the event is found by the address of the owner's repository "odd"
    And the event is not found by the address of the owner's repository "near"
    When the contributor publishes an issue naming the owner's repository "near" by a
    Then the event is accepted
    And the event is found by the address of the owner's repository "near"
    And the event is not found by the address of the owner's repository "odd"

    Examples:
      | id       | what                       | odd                  | near             |
      | colon    | a colon                    | {identifier}:y       | {identifier}     |
      | colons   | a colon more               | {identifier}::y       | {identifier}:y   |
      | suffix   | the suffix of repositories | {identifier}.git     | {identifier}     |
      | suffixes | that suffix twice          | {identifier}.git.git | {identifier}.git |
      | upper    | upper case                 | X-{identifier}       | x-{identifier}   |
      | space    | a space                    | {identifier} y       | {identifier}+y   |
      | percent  | percent text               | {identifier}%2ey     | {identifier}.y   |
      | dot      | a dot before it            | .{identifier}        | {identifier}     |
      | ends     | a dot behind it            | {identifier}.        | {identifier}     |
      | accent   | a composed letter         | {identifier}-é       | {identifier}-é  |
      | dash     | a dash                     | {identifier}-y       | {identifier}_y   |

  @G01-REL-01.alone
  Scenario Outline: what refers to an identifier with <what> is taken where that stands alone
    Given the owner's repository "odd" is called <odd>
    And the owner's repository "odd" is served, if its identifier is taken, with:
      | refs/heads/main | second |
    When the contributor publishes an issue naming the owner's repository "odd" by a
    Then the event is accepted
    And the event is found by the address of the owner's repository "odd"
    When the contributor publishes a comment naming the owner's repository "odd" by A
    Then the event is accepted
    And the event is served
    When the contributor publishes a note naming the owner's repository "odd" by q
    Then the event is accepted
    And the event is served
    When the contributor publishes a pull request of the commit side to the owner's repository "odd"
    Then the event is accepted
    When a client pushes to the owner's repository "odd":
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the pull request is served

    Examples:
      | id       | what                       | odd                  |
      | colon    | a colon                    | {identifier}:y       |
      | colons   | a colon more               | {identifier}::y       |
      | suffix   | the suffix of repositories | {identifier}.git     |
      | suffixes | that suffix twice          | {identifier}.git.git |
      | upper    | upper case                 | X-{identifier}       |
      | space    | a space                    | {identifier} y       |
      | percent  | percent text               | {identifier}%2ey     |
      | dot      | a dot before it            | .{identifier}        |
      | ends     | a dot behind it            | {identifier}.        |
      | accent   | a composed letter         | {identifier}-é       |
      | dash     | a dash                     | {identifier}-y       |

  @G01-REL-05.neighbour
  Scenario Outline: what refers to the neighbour of an identifier with <what> alone is refused
    Given the owner's repository "near" is called <near>
    And the owner's repository "odd" is called <odd>
    And the owner's repository "odd" is served, if its identifier is taken, with:
      | refs/heads/main | second |
    When the contributor publishes an issue naming the owner's repository "near" by a
    Then the event is refused
    But the same event naming the owner's repository "odd" by a is accepted

    Examples:
      | id       | what                       | odd                  | near             |
      | colon    | a colon                    | {identifier}:y       | {identifier}     |
      | colons   | a colon more               | {identifier}::y       | {identifier}:y   |
      | suffix   | the suffix of repositories | {identifier}.git     | {identifier}     |
      | suffixes | that suffix twice          | {identifier}.git.git | {identifier}.git |
      | upper    | upper case                 | X-{identifier}       | x-{identifier}   |
      | space    | a space                    | {identifier} y       | {identifier}+y   |
      | percent  | percent text               | {identifier}%2ey     | {identifier}.y   |
      | dot      | a dot before it            | .{identifier}        | {identifier}     |
      | ends     | a dot behind it            | {identifier}.        | {identifier}     |
      | accent   | a composed letter         | {identifier}-é       | {identifier}-é  |
      | dash     | a dash                     | {identifier}-y       | {identifier}_y   |

  @G01-DEL-06.neighbour
  Scenario Outline: the deletion of an identifier with <what> leaves its neighbour alone
    Given the owner's repository "near" is called <near>
    And the owner's repository "odd" is called <odd>
    And the owner's repository "near" is served, if its identifier is taken, with:
      | refs/heads/main | first |
    And the owner's repository "odd" is served, if its identifier is taken, with:
      | refs/heads/main | second |
    When the owner asks to delete by address the owner's repository "odd"
    Then the announcement "odd" is not served any more
    And the announcement "near" is still served
    And the owner's repository "near" still has exactly:
      | refs/heads/main | first |

    Examples:
      | id       | what                       | odd                  | near             |
      | colon    | a colon                    | {identifier}:y       | {identifier}     |
      | colons   | a colon more               | {identifier}::y       | {identifier}:y   |
      | suffix   | the suffix of repositories | {identifier}.git     | {identifier}     |
      | suffixes | that suffix twice          | {identifier}.git.git | {identifier}.git |
      | upper    | upper case                 | X-{identifier}       | x-{identifier}   |
      | space    | a space                    | {identifier} y       | {identifier}+y   |
      | percent  | percent text               | {identifier}%2ey     | {identifier}.y   |
      | dot      | a dot before it            | .{identifier}        | {identifier}     |
      | ends     | a dot behind it            | {identifier}.        | {identifier}     |
      | accent   | a composed letter         | {identifier}-é       | {identifier}-é  |
      | dash     | a dash                     | {identifier}-y       | {identifier}_y   |
      | under    | an underscore              | {identifier}_y       | {identifier}-y   |
      | wild     | a percent sign behind it   | {identifier}-%       | {identifier}-y   |

  @G01-PR-12.crossed
  Scenario Outline: owners and identifiers of two repositories are not crossed by a pull request: <order>
    Given the owner's repository "other" is served with:
      | refs/heads/main | first |
    When the contributor publishes a pull request of the commit side to <repositories>
    Then the event is refused
    And the pull request is not served
    But the same pull request of the commit side to the owner's repository "other" is accepted

    Examples:
      | id       | order    | repositories                                                              |
      | forward  | forward  | the owner's repository "nowhere" and the stranger's repository "other"    |
      | backward | backward | the stranger's repository "other" and the owner's repository "nowhere"    |

  @G01-REL-05.crossed
  Scenario Outline: owners and identifiers of two repositories are not crossed by <form>: <order>
    Given the owner's repository "other" is served with:
      | refs/heads/main | first |
    When the contributor publishes <form> naming <repositories> by <tag>
    Then the event is refused
    But the same event naming the owner's repository "other" by <tag> is accepted

    Examples:
      | id             | form      | tag | order    | repositories                                                           |
      | issue-forward  | an issue  | a   | forward  | the owner's repository "nowhere" and the stranger's repository "other" |
      | issue-backward | an issue  | a   | backward | the stranger's repository "other" and the owner's repository "nowhere" |
      | note           | a note    | q   | forward  | the owner's repository "nowhere" and the stranger's repository "other" |

  @G01-REL-01.second
  Scenario Outline: a reference to an unknown repository beside an accepted one does no harm: <order>
    Given the owner's repository "other" is served with:
      | refs/heads/main | first |
    When the contributor publishes an issue naming <repositories> by a
    Then the event is accepted
    And the event is found by the address of the owner's repository "other"

    Examples:
      | id    | order         | repositories                                                           |
      | first | the known one first | the owner's repository "other" and the stranger's repository "nowhere" |
      | last  | the known one last  | the stranger's repository "nowhere" and the owner's repository "other" |

  @N09-03.crossed
  Scenario Outline: owners and identifiers of two addresses are not crossed by a deletion request: <order>
    Given the owner's repository "other" is served with:
      | refs/heads/main | first |
    When the stranger asks to delete by address <repositories>
    Then the announcement "other" is still served
    And the owner's repository "other" still has exactly:
      | refs/heads/main | first |

    Examples:
      | id       | order    | repositories                                                           |
      | forward  | forward  | the owner's repository "nowhere" and the stranger's repository "other" |
      | backward | backward | the stranger's repository "other" and the owner's repository "nowhere" |

  @G01-PURG-09.identifier
  Scenario Outline: a state needs no push where an identifier has <what>
    Given the owner's repository "odd" is called <odd>
    And the owner's repository "odd" is served, if its identifier is taken, with:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    When the owner publishes the state of the repository "odd":
      | refs/heads/main | first           |
      | refs/heads/next | side            |
      | HEAD            | refs/heads/next |
    Then the event is accepted
    And the owner's repository "odd" has exactly:
      | refs/heads/main | first           |
      | refs/heads/next | side            |
      | HEAD            | refs/heads/next |

    Examples:
      | id      | what             | odd              |
      | space   | a space          | {identifier} y   |
      | percent | percent text     | {identifier}%2ey |
      | accent  | a composed letter | {identifier}-é  |
