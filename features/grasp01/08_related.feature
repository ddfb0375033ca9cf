Feature: Related events
  The relay takes what refers to the repositories it hosts.

  @G01-REL-01
  Scenario Outline: <event> that names an accepted repository is accepted
    When the contributor publishes <event> naming the lighthouse by <tag>
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event     | tag |
      | issue   | an issue  | a   |
      | comment | a comment | A   |
      | note    | a note    | q   |

  @G01-REL-01.hint
  Scenario Outline: <event> whose reference has more than what it refers to is accepted
    When the contributor publishes an event of kind <kind> with the tags:
      | ["<tag>","{lighthouse}","{own relay}"<more>] |
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event     | kind | tag | more              |
      | issue   | an issue  | 1621 | a   |                   |
      | comment | a comment | 1111 | A   |                   |
      | note    | a note    | 1    | q   | ,"{contributor}"  |
      | marked  | a patch   | 1617 | a   | ,"root"           |

  @G01-REL-02.hint
  Scenario Outline: <event> that names an accepted issue by <tag> with more behind its id, such as <id> ones have, is accepted
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind <kind> with the tags:
      | ["<tag>","{root}","{own relay}"<more>] |
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event       | kind | tag | more                        |
      | marked  | a note      | 1    | e   | ,"root"                     |
      | signed  | a note      | 1    | e   | ,"reply","{contributor}"    |
      | comment | a comment   | 1111 | E   | ,"{contributor}"            |
      | quote   | an issue    | 1621 | q   | ,"{contributor}"            |
      | bare    | a reaction  | 7    | e   |                             |

  @G01-REL-01.alone
  Scenario: a comment whose only reference is the root that it names is accepted
    When the contributor publishes an event of kind 1111 with the tags:
      | ["A","{lighthouse}"] |
      | ["K","30617"]        |
    Then the event is accepted
    And the event is served

  @G01-REL-01.beside
  Scenario Outline: <event> that names an accepted repository is accepted, though the event that it names is not here
    When the contributor publishes an event of kind <kind> with the tags:
      | ["e","{unknown}","",<mark>] |
      | ["a","{lighthouse}"]        |
      | ["p","{stranger}"]          |
      | ["L","#t"]                  |
      | ["l","bug","#t"]            |
    Then the event is accepted
    And the event is served

    Examples:
      | id     | event     | kind | mark    |
      | patch  | a patch   | 1617 | "reply" |
      | reply  | a reply   | 1622 | "root"  |
      | status | a status  | 1631 | "root"  |
      | label  | a label   | 1985 | ""      |

  @G01-REL-01.words
  Scenario: an issue with tags that are words of programs is accepted
    When the contributor publishes an event of kind 1621 with the tags:
      | ["constructor","toString"] |
      | ["__proto__","valueOf"]    |
      | ["a","{lighthouse}"]       |
      | ["t","constructor"]        |
      | ["t","__proto__"]          |
    Then the event is accepted
    And the event is served

  @G01-REL-01.bare
  Scenario Outline: <event> with tags of one element is accepted
    When the contributor publishes an event of kind <kind> with the tags:
      | ["e"]                    |
      | ["a"]                    |
      | ["q"]                    |
      | ["A"]                    |
      | ["E"]                    |
      | ["d"]                    |
      | ["t"]                    |
      | ["l"]                    |
      | ["p"]                    |
      | ["relay"]                |
      | ["expiration"]           |
      | ["<tag>","{lighthouse}"] |
      | ["e"]                    |
    Then the event is accepted
    And the event is served
    And the event is found by its tags of one letter alone

    Examples:
      | id      | event     | kind | tag |
      | issue   | an issue  | 1621 | a   |
      | comment | a comment | 1111 | A   |
      | note    | a note    | 1    | q   |

  @G01-REL-01.bare-announcement
  Scenario: an announcement with tags of one element is accepted
    When the owner publishes an event of kind 30617 with the tags:
      | ["name"]                  |
      | ["maintainers"]           |
      | ["description"]           |
      | ["e"]                     |
      | ["d","{identifier}"]      |
      | ["clone","{own clone}"]   |
      | ["relays","{own relay}"]  |
      | ["web"]                   |
      | ["t"]                     |
    Then the event is accepted

  @G01-REL-01.dressed @further @score:should
  Scenario Outline: <what> in every dress are accepted
    Given <what> of the contributor in every dress were signed
    Then each of them is accepted

    Examples:
      | id       | what     |
      | issues   | issues   |
      | articles | articles |

  @G01-REL-02.dressed @further
  Scenario Outline: comments on <what> in every dress are accepted
    Given <what> of the contributor in every dress were sent
    Then a comment of the stranger on each of them is accepted

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @G01-REL-02
  Scenario Outline: <event> that names an accepted <root> by <tag> is accepted
    Given the stranger's <root> on the lighthouse was accepted
    When the contributor publishes <event> naming that event by <tag>
    Then the event is accepted
    And the event is served

    Examples:
      | id            | event     | root  | tag |
      | comment-issue | a comment | issue | E   |
      | note-issue    | a note    | issue | e   |
      | issue-issue   | an issue  | issue | q   |
      | comment-patch | a comment | patch | E   |
      | note-patch    | a note    | patch | e   |

  @G01-REL-02.alone
  Scenario: a comment whose only reference is the root event that it names is accepted
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind 1111 with the tags:
      | ["E","{root}"] |
      | ["K","1621"]   |
    Then the event is accepted
    And the event is served

  @G01-REL-02.several
  Scenario Outline: <event> that names something unknown by <tag>, too, is accepted for the accepted issue that it names: <order>
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind <kind> with the tags:
      | ["<tag>",<first>]   |
      | ["<tag>",<second>]  |
      | ["p","{stranger}"]  |
    Then the event is accepted
    And the event is served

    Examples:
      | id           | event      | kind | tag | order                | first                       | second                     |
      | note         | a note     | 1    | e   | the issue last       | "{unknown}"                 | "{root}"                   |
      | note-first   | a note     | 1    | e   | the issue first      | "{root}"                    | "{unknown}"                |
      | marked       | a note     | 1    | e   | a reply to something | "{unknown}","","reply"      | "{root}","","root"         |
      | comment      | a comment  | 1111 | E   | the issue last       | "{unknown}"                 | "{root}"                   |
      | quote        | a note     | 1    | q   | the issue last       | "{unknown}"                 | "{root}"                   |
      | quotes       | a note     | 1    | q   | behind an address    | "30023:{stranger}:nowhere"  | "{root}"                   |
      | repository   | a note     | 1    | q   | a repository last    | "{unknown}"                 | "{lighthouse}"             |
      | reaction     | a reaction | 7    | e   | the issue last       | "{unknown}"                 | "{root}"                   |

  @G01-REL-02.beside
  Scenario Outline: <event> that names something unknown by <tag> is accepted for what it names by <other>
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind <kind> with the tags:
      | ["<tag>",<unknown>] |
      | ["<other>",<known>] |
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event     | kind | tag | unknown                    | other | known          |
      | note    | a note    | 1    | e   | "{unknown}"                | q     | "{root}"       |
      | quote   | a note    | 1    | q   | "{unknown}"                | e     | "{root}"       |
      | comment | a comment | 1111 | A   | "30023:{stranger}:nowhere" | E     | "{root}"       |
      | parent  | a comment | 1111 | E   | "{unknown}"                | e     | "{root}"       |
      | address | a comment | 1111 | E   | "{unknown}"                | A     | "{lighthouse}" |
      | issue   | an issue  | 1621 | a   | "30617:{stranger}:nowhere" | e     | "{root}"       |

  @G01-REL-03
  Scenario Outline: a note that an accepted issue names by <tag> is accepted
    Given the stranger's issue names a note of the contributor by <tag>
    When the contributor publishes that note
    Then the event is accepted
    And the event is served

    Examples:
      | id    | tag |
      | e     | e   |
      | quote | q   |

  @G01-REL-03.by
  Scenario Outline: a note that an accepted <root> names by <tag><where> is accepted
    Given a note "named" by the contributor was never sent
    When the stranger publishes an event of kind <kind> with the tags:
      | ["a","{lighthouse}"] |
      | <other>              |
      | ["<tag>","{named}"]  |
    Then the event is accepted
    And the event is served
    When the contributor sends the note "named"
    Then the event is accepted
    And the event is served

    Examples:
      | id           | root  | kind | tag | where                    | other             |
      | patch        | patch | 1617 | e   |                          | ["t","x"]         |
      | patch-quote  | patch | 1617 | q   |                          | ["t","x"]         |
      | second       | issue | 1621 | e   | , behind something else, | ["e","{unknown}"] |
      | second-quote | issue | 1621 | q   | , behind something else, | ["q","{unknown}"] |
      | second-patch | patch | 1617 | e   | , behind something else, | ["e","{unknown}"] |

  @G01-REL-03.others
  Scenario: a note that an accepted issue names is accepted though others name it later
    Given a note "named" by the contributor was never sent
    When the stranger publishes an event of kind 1621 with the tags:
      | ["a","{lighthouse}"] |
      | ["e","{named}"]      |
    Then the event is accepted
    When the stranger publishes an event of kind 1 with the tags:
      | ["a","{lighthouse}"] |
      | ["e","{named}"]      |
    Then the event is accepted
    When the maintainer publishes an event of kind 5 with the tags:
      | ["e","{named}"] |
      | ["k","1"]       |
    Then the event is answered without a failure
    When the contributor sends the note "named"
    Then the event is accepted
    And the event is served

  @G01-REL-03.announcement
  Scenario Outline: a note that a served announcement names by <tag> is accepted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And a note "named" by the contributor was never sent
    When the owner announces the repository with:
      | <tag> | {named} |
    Then the event is accepted
    And the announcement is served
    When the contributor sends the note "named"
    Then the event is accepted
    And the event is served

    Examples:
      | id    | tag |
      | e     | e   |
      | quote | q   |

  @G01-REL-03.pull-request @score:should
  Scenario: a note that a served pull request names is accepted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And a note "named" by the stranger was never sent
    When the contributor publishes an event of kind 1618 "asking" with the tags:
      | ["a","30617:{owner}:{identifier}"] |
      | ["c","{side}"]                     |
      | ["clone","{own clone}"]            |
      | ["q","{named}"]                    |
    Then the event is accepted
    When a client pushes:
      | refs/nostr/{event} | side |
    Then the push succeeds
    And the event "asking" is served
    When the stranger sends the note "named"
    Then the event is accepted
    And the event is served

  @G01-REL-05
  Scenario Outline: <event> that refers to nothing accepted here is refused
    When the contributor publishes <event> naming <what>
    Then the event is refused
    And the event is not served
    But the same event naming the lighthouse is accepted

    Examples:
      | id      | event     | what                  |
      | issue   | an issue  | an unknown repository |
      | note    | a note    | nothing               |
      | comment | a comment | an unknown repository |

  @G01-REL-05.deleted
  Scenario: a note that refers to nothing but an article that was deleted is refused
    Given the contributor published an article "gone" dated 100
    And the contributor's request to delete the event "gone" is taken
    When the stranger publishes an event of kind 1 "note" with the tags:
      | ["a","30023:{contributor}:{d}"] |
    Then the event "note" is not served
    And the event is refused
    But the same event naming the lighthouse is accepted

  @G01-REL-05.deleted-issue
  Scenario: a note that refers to nothing but an issue that was deleted is refused
    When the contributor publishes an event of kind 1621 "gone" with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted
    And the event "gone" is served
    And the contributor's request to delete the event "gone" is taken
    When the stranger publishes an event of kind 1 "note" with the tags:
      | ["e","{event gone}"] |
    Then the event "note" is not served
    And the event is refused
    But the same event naming the lighthouse is accepted

  @G01-REL-05.deleted-repository
  Scenario: an issue that refers to nothing but a repository whose announcement was deleted is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner's request to delete the announcement is taken
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is refused, or accepted and waiting
    And the event is not served
    But the same event naming the lighthouse is accepted

  @G01-REL-05.coordinate
  Scenario: an issue that names the lighthouse by a malformed coordinate is refused
    Given the lighthouse is served
    Then all issues that name the lighthouse by a malformed coordinate are refused
    But the same event naming the lighthouse is accepted

  @G01-REL-05.kinds
  Scenario: an event of a kind beside those that are taken from anybody is refused
    When the contributor publishes an event of kind 4 naming nothing
    Then the event is refused
    When the contributor publishes an event of kind 6 naming nothing
    Then the event is refused
    When the contributor publishes an event of kind 61 naming nothing
    Then the event is refused
    When the contributor publishes an event of kind 63 naming nothing
    Then the event is refused
    When the contributor publishes an event of kind 10316 naming nothing
    Then the event is refused
    When the contributor publishes an event of kind 10318 naming nothing
    Then the event is refused
    When the contributor publishes a note naming nothing
    Then the event is refused
    And the event is not served
    But the same event naming the lighthouse is accepted

  @G01-REL-04.kinds
  Scenario: a note on an accepted event is accepted, of whatever kind that is
    Given the stranger's event of kind 4 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted
    And the stranger's event of kind 6 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted
    And the stranger's event of kind 61 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted
    And the stranger's event of kind 63 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted
    And the stranger's event of kind 10316 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted
    And the stranger's event of kind 10318 naming the lighthouse by a was accepted
    When the contributor publishes a note naming that event by e
    Then the event is accepted

  @G01-REL-01.maintained
  Scenario: what refers to a repository whose only state is by a maintainer is accepted
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the state is served
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is accepted
    And the event is served
    When the contributor publishes a pull request of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-REL-04
  Scenario Outline: <event> on an accepted reply is accepted
    Given the stranger's issue on the lighthouse was accepted
    And the stranger's <reply> naming that event by <tag> was accepted
    When the contributor publishes <event> naming that event by <tag>
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event     | reply     | tag |
      | comment | a comment | a comment | E   |
      | note    | a note    | a note    | e   |

  @G01-REL-06 @needs:held=30617
  Scenario: an event that names a held repository is not served before that is
    Given the owner announced the repository
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is refused, or accepted and waiting
    And the event is not served

  @G01-REL-06.pull-request @needs:held=30617
  Scenario: a pull request to a held repository is not served before that is
    Given the owner announced the repository
    When the contributor publishes a pull request of the commit side
    Then the event is refused, or accepted and waiting
    And the pull request is served only if the announcement is
    When a client pushes the commit side for the pull request
    Then the push is accepted or refused
    And the pull request is served only if the announcement is

  @G01-REL-07
  Scenario Outline: an event of kind <kind> is taken for what it refers to
    When the contributor publishes an event of kind <kind> naming the lighthouse by a
    Then the event is accepted
    And the event is served

    Examples:
      | id       | kind  |
      | lowest   | 0     |
      | note     | 1     |
      | reaction | 7     |
      | comment  | 1111  |
      | patch    | 1617  |
      | open     | 1630  |
      | merged   | 1631  |
      | closed   | 1632  |
      | draft    | 1633  |
      | label    | 1985  |
      | other    | 9802  |
      | highest  | 65535 |

  @G01-REL-08
  Scenario Outline: whether <what> is taken without a reference is recorded
    When the contributor publishes an event of kind <kind> with content of 0 bytes
    Then the answer to the event is recorded

    Examples:
      | id       | what                | kind  |
      | list     | a user's GRASP list | 10317 |
      | deletion | a deletion request  | 5     |

  @G01-REL-09 @read-only
  Scenario: what the document says of curation is recorded
    When a visitor asks for the relay information document
    Then what the document says of curation is recorded

  @G01-REL-10
  Scenario: a state is refused while nobody has announced its repository
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is refused
    And the state is not served
    When the owner announced the repository
    And the owner sends the state again
    Then the event is accepted

  @G01-REL-11
  Scenario: an event that was refused is accepted once what it names is served
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is refused, or accepted and waiting
    When a client pushes:
      | refs/heads/main | first |
    Then the announcement is served
    When the contributor sends the event again
    Then the event is accepted
    And the event is served

  @G01-REL-11.pull
  Scenario: a pull request that was refused is accepted once the repository that it names is served
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the contributor publishes a pull request of the commit first to the owner's repository
    Then the event is refused, or accepted and waiting
    When a client pushes:
      | refs/heads/main | first |
    Then the announcement is served
    When the contributor sends the event again
    Then the event is accepted

  @G01-REL-11.maintainer
  Scenario: a maintainer's announcement that was refused is accepted once the owner names the maintainer
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the maintainer publishes an event of kind 30617 "theirs" with the tags:
      | ["d","{identifier}"]                                           |
      | ["clone","https://git.example.invalid/{npub}/{identifier}.git"] |
      | ["relays","wss://relay.example.invalid"]                       |
      | ["maintainers","{owner}"]                                      |
    Then the event is refused, or accepted and waiting
    When the owner announces the repository with:
      | maintainers | {maintainer} |
    Then the event is accepted
    When the maintainer sends the event "theirs" again
    Then the event is accepted

  @G01-REL-11.state
  Scenario: a state that was refused is accepted once the owner names its author
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the maintainer sends the state:
      | refs/heads/main | second |
    Then the event is refused, or accepted and waiting
    When the maintainer announces the repository with:
      | maintainers | {owner} |
    Then the event is accepted
    When the owner announces the repository with:
      | maintainers | {maintainer} |
    Then the event is accepted
    When the maintainer sends the state again
    Then the event is accepted
    And a push of the latest state then succeeds:
      | refs/heads/main | second |

  @N34-03
  Scenario: a patch of 60 kB is accepted
    When the contributor publishes an event of kind 1617 with content of 60000 bytes
    Then the event is accepted
    And the event is served

  @N34-04
  Scenario Outline: a status of kind <kind> on an accepted issue is accepted
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind <kind> naming that event by e
    Then the event is accepted
    And the event is served

    Examples:
      | id     | kind |
      | open   | 1630 |
      | closed | 1632 |

  @N34-05
  Scenario: whether a GRASP list without any entry is taken is recorded
    When the contributor publishes an event of kind 10317 with content of 0 bytes
    Then the answer to the event is recorded
    And it is recorded whether the event is served

  @N34-06
  Scenario: whether an announcement may mark itself as a subordinate fork is recorded
    When the owner announces the repository with:
      | u | 30617:{stranger}:{identifier} |
    Then the answer to the event is recorded

  @N34-07
  Scenario: a reply of the old kind is taken for what it refers to
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind 1622 naming that event by e
    Then the event is accepted
    And the event is served

  @N22-01
  Scenario Outline: a comment is taken by <what>
    Given the stranger's issue on the lighthouse was accepted
    When the contributor publishes an event of kind 1111 naming <root> by <tag>
    Then the event is accepted
    And the event is served

    Examples:
      | id             | what               | root           | tag |
      | root-address   | its root's address | the lighthouse | A   |
      | root-id        | its root's id      | that event     | E   |
      | parent-address | its parent alone   | the lighthouse | a   |
      | parent-id      | its parent's id    | that event     | e   |
