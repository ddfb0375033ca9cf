Feature: Refs of pull requests
  Anybody may push the commit of a pull request to refs/nostr/ below the id of its event.

  Background:
    Given the owner's repository is served with:
      | refs/heads/main | first |

  @G01-PR-01
  Scenario: the ref of an event that nobody knows is accepted
    Given the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main           | first |
      | refs/nostr/{pull request} | side  |

  @G01-PR-01.stateless
  Scenario: the ref of an event needs no state
    Given the stranger announced the repository
    And the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request to the stranger's repository
    Then the push succeeds
    And the pull request has its ref at the commit side in the stranger's repository

  @G01-PR-02
  Scenario Outline: a ref that is named after no event is refused: <form>
    Given the contributor drafted a pull request of the commit side
    When a client pushes:
      | refs/nostr/<name> | side |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id    | form                   | name                              |
      | word  | a word                 | main                              |
      | short | an id cut short        | {pull request, cut short}         |
      | long  | an id and a digit more | {pull request, with a digit more} |
      | upper | an id in upper case    | {pull request, in upper case}     |
      | below | a name below an id     | {pull request}/x                  |
      | above | an id below a word     | heads/{pull request}              |
      | note  | a bech32 form          | {pull request, as a note}         |

  @G01-PR-02.digits
  Scenario: a ref that is named after what is no id but for one character is refused
    Given the contributor drafted a pull request of the commit side
    When a client pushes:
      | refs/nostr/{pull request, with a letter that is no digit} | side |
    Then the push is refused
    When a client pushes:
      | refs/nostr/{pull request, with a slash inside} | side |
    Then the push is refused
    When a client pushes:
      | refs/nostr/{pull request, with a grave accent} | side |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request} | side |

  @G01-PR-02.known
  Scenario Outline: a ref that is named after a known event in another form is refused: <form>
    Given the contributor published a pull request of the commit side
    When a client pushes:
      | refs/nostr/<name> | side |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id      | form                     | name                                     |
      | word    | a word                   | main                                     |
      | short   | an id cut short          | {pull request, cut short}                |
      | long    | an id and a digit more   | {pull request, with a digit more}        |
      | upper   | an id in upper case      | {pull request, in upper case}            |
      | first   | one letter in upper case | {pull request, with one letter in upper case} |
      | below   | a name below an id       | {pull request}/x                         |
      | head    | HEAD below an id         | {pull request}/head                      |
      | above   | an id below a word       | heads/{pull request}                     |
      | note    | a bech32 form            | {pull request, as a note}                |
      | prefix  | an id behind a scheme    | nostr:{pull request}                     |
      | suffix  | an id with an ending     | {pull request}.git                       |
      | blank   | an id behind a wide blank | {nbsp}{pull request}                    |

  @G01-PR-02.served
  Scenario Outline: a ref that is named after a served event in another form is refused: <form>
    Given the contributor published a pull request "served" of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published a pull request "other" of the commit second
    When a client pushes:
      | refs/nostr/<name> | side |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request other} | second |

    Examples:
      | id    | form                     | name                                     |
      | short | an id cut short          | {pull request served, cut short}         |
      | upper | an id in upper case      | {pull request served, in upper case}     |
      | note  | a bech32 form            | {pull request served, as a note}         |
      | above | an id below a word       | heads/{pull request served}              |

  @G01-PR-03
  Scenario Outline: another commit than a known <event> names is refused
    Given the contributor published <form> of the commit side
    When a client pushes the commit second for the <event>
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{<event>} | side |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PR-03.elsewhere
  Scenario: another commit than a pull request names is refused in each of its repositories
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side to the owner's and the stranger's repository
    When a client pushes the commit second for the pull request to the stranger's repository
    Then the push is refused
    When a client pushes the commit side for the pull request to the stranger's repository
    Then the push succeeds

  @G01-PR-04
  Scenario Outline: the commit of a <event> that waits makes it served
    Given the contributor's <event> of the commit side waits
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main      | first |
      | refs/nostr/{<event>} | side  |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PR-05
  Scenario: an update has a ref of its own
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the contributor publishes an update of the commit second
    Then the event is accepted
    When a client pushes the commit second for the update
    Then the push succeeds
    And the update is served
    And the repository still has exactly:
      | refs/heads/main           | first  |
      | refs/nostr/{pull request} | side   |
      | refs/nostr/{update}       | second |

  @G01-PR-05.several
  Scenario Outline: updates of one pull request that wait are released each by its own commit, the <order> one first
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published an update "one" of the commit second
    And the contributor published an update "two" of the commit third
    When a client pushes the commit <commit> for the update "<first>"
    Then the push succeeds
    And the update "<first>" is served
    When a client pushes the commit <other> for the update "<last>"
    Then the push succeeds
    And the update "<last>" is served
    And the update "<first>" is still served

    Examples:
      | id    | order | first | commit | last | other  |
      | older | older | one   | second | two  | third  |
      | newer | newer | two   | third  | one  | second |

  @G01-REL-01.own
  Scenario: an owner's pull request to the own repository is taken like one by anybody else
    When the owner publishes a pull request of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-PR-05.other
  Scenario: the commit of an update does not go to the ref of its pull request
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published an update of the commit second
    When a client pushes the commit second for the pull request
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{update} | second |

  @G01-PR-05.replaced
  Scenario: a served update stays when its author makes another one
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the contributor published an update "one" of the commit second
    And a client pushed the commit second for the update "one"
    And the update "one" is served
    When the contributor publishes an update "two" of the commit third
    Then the event is accepted
    When a client pushes the commit third for the update "two"
    Then the push succeeds
    And the update "two" is served
    And the update "one" is still served

  @G01-PR-01.again @wait:26m
  Scenario: the ref of an event that was removed for want of that can be pushed again
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When 26 minutes pass
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request has its ref at the commit side

  @G01-PR-07.announced
  Scenario: a ref that waits for its event stays when the owner announces the repository again
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted
    And the pull request has its ref at the commit side

  @G01-PR-08.dropped
  Scenario: the ref of a pull request stays when a state drops a branch
    Given the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And a client brought what was missing of:
      | refs/heads/dev | side |
    And the contributor published a pull request of the commit second
    And a client pushed the commit second for the pull request
    And the pull request is served
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/dev | (delete) |
    Then the push is accepted or refused
    And the pull request has its ref at the commit second
    And the pull request is still served

  @G01-PR-06
  Scenario: a ref with the wrong commit gives way to the right one
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit second for the pull request
    When the contributor publishes the pull request
    Then the event is refused, or accepted and waiting
    And the pull request is not served
    When a client pushes the commit side for the pull request
    Then the push succeeds
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served

  @G01-PR-06.removed @wait:26m
  Scenario: a ref with the wrong commit goes when its pull request has come
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit second for the pull request
    When the contributor publishes the pull request
    Then the event is refused, or accepted and waiting
    When 26 minutes pass
    Then the pull request has no ref
    And the pull request is not served

  @G01-PR-07 @wait:26m
  Scenario: a ref without its event goes after twenty minutes and not before
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When 19 minutes pass
    Then the repository has exactly:
      | refs/heads/main           | first |
      | refs/nostr/{pull request} | side  |
    When another 7 minutes pass
    Then the pull request has no ref

  @G01-PR-07.two @wait:36m
  Scenario: of two refs that wait for their events each has a clock of its own
    Given the contributor drafted a pull request "early" of the commit side
    And a client pushed the commit side for the pull request "early"
    And the stranger drafted a pull request "never" of the commit second
    And a client pushed the commit second for the pull request "never"
    When 10 minutes pass
    And the contributor publishes the pull request "early"
    Then the event is accepted
    When another 26 minutes pass
    Then the pull request "early" has its ref at the commit side
    And the pull request "never" has no ref

  @G01-PR-07.later @wait:36m
  Scenario: a ref that comes later goes later
    Given the contributor drafted a pull request "early" of the commit side
    And the stranger drafted a pull request "late" of the commit second
    And a client pushed the commit side for the pull request "early"
    When 10 minutes pass
    And a client pushes the commit second for the pull request "late"
    Then the push succeeds
    When another 14 minutes pass
    Then the pull request "early" has no ref
    And the pull request "late" has its ref at the commit second
    When another 12 minutes pass
    Then the pull request "late" has no ref

  @G01-PR-07.anew @wait:36m
  Scenario: a ref that was deleted and pushed again waits for its event anew
    Given the contributor drafted a pull request "one" of the commit side
    And the stranger drafted a pull request "other" of the commit second
    And the maintainer drafted a pull request "third" of the commit first
    And a client pushed the commit side for the pull request "one"
    And a client pushed the commit second for the pull request "other"
    When 10 minutes pass
    And the ref of the pull request "one" was deleted by a client
    And the ref of the pull request "other" was deleted by a client
    And a client pushed the commit side for the pull request "one"
    And a client pushed the commit second for the pull request "other"
    And a client pushed the commit first for the pull request "third"
    And the ref of the pull request "third" was deleted by a client
    When another 14 minutes pass
    Then the pull request "one" has its ref at the commit side
    And the pull request "other" has its ref at the commit second
    When another 12 minutes pass
    Then the pull request "one" has no ref
    And the pull request "other" has no ref

  @G01-PR-07.both @wait:26m
  Scenario: one ref in each of several repositories waits for its event
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    And a client pushed the commit side for the pull request to the stranger's repository
    And the owner's repository "beside" is served with:
      | refs/heads/main | first |
    And a client pushed to the owner's repository "beside":
      | refs/nostr/{pull request} | side |
    When 26 minutes pass
    Then the repository has exactly:
      | refs/heads/main | first |
    And the pull request has no ref

  @G01-PR-07.several @wait:26m
  Scenario: the ref of one event in each of several repositories goes where a client deletes it, and nowhere else
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the owner's repository "beside" is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    And a client pushed the commit side for the pull request to the stranger's repository
    And a client pushed to the owner's repository "beside":
      | refs/nostr/{pull request} | side |
    And the ref of the pull request was deleted by a client
    Then the repository has exactly:
      | refs/heads/main | first |
    And the pull request has its ref at the commit side in the stranger's repository
    When 26 minutes pass
    Then the pull request has no ref in the stranger's repository

  @G01-PR-07.renewed
  Scenario: a ref that waits for its event stays when the announcement that waits is replaced
    Given the stranger announced the repository
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request to the stranger's repository
    When the stranger announces the repository
    Then the event is accepted
    And the pull request has its ref at the commit side in the stranger's repository

  @G01-PR-07.released
  Scenario: a ref that waits for its event stays when the announcement that waits is released
    Given the stranger announced the repository
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request to the stranger's repository
    And the stranger published the state:
      | refs/heads/main | first |
    When a client pushes to the stranger's repository:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the pull request has its ref at the commit side in the stranger's repository

  @G01-PR-07.deleted @wait:26m
  Scenario: refs that wait for their events go though the repository was deleted and announced again
    Given the contributor drafted a pull request "one" of the commit side
    And a client pushed the commit side for the pull request "one"
    And the stranger drafted a pull request "other" of the commit second
    And a client pushed the commit second for the pull request "other"
    And the owner's request to delete the announcement is taken
    When the owner announces the repository
    Then the event is accepted
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    When 26 minutes pass
    Then the pull request "one" has no ref
    And the pull request "other" has no ref

  @G01-PR-07.deleted-anew @wait:36m
  Scenario: refs of a repository that was deleted while it waited and announced again wait for their events anew
    Given the stranger announced the repository
    And the contributor drafted a pull request "one" of the commit side
    And the contributor drafted a pull request "other" of the commit second
    And a client pushed the commit side for the pull request "one"
    And 1 minutes pass
    And a client pushed the commit side for the pull request "one" to the stranger's repository
    And a client pushed the commit second for the pull request "other" to the stranger's repository
    When another 9 minutes pass
    And the stranger's request to delete the announcement is taken
    And the refs of the pull request "one" and the pull request "other" went with that from the stranger's repository
    And the stranger announced the repository
    And the stranger published the state:
      | refs/heads/main | first |
    And a client pushed to the stranger's repository:
      | refs/heads/main | first |
    And a client pushed the commit side for the pull request "one" to the stranger's repository
    And a client pushed the commit second for the pull request "other" to the stranger's repository
    When another 14 minutes pass
    Then the pull request "one" has its ref at the commit side in the stranger's repository
    And the pull request "other" has its ref at the commit second in the stranger's repository
    When another 12 minutes pass
    Then the pull request "one" has no ref in the stranger's repository
    And the pull request "other" has no ref in the stranger's repository

  @G01-PR-08 @wait:36m
  Scenario: a ref stays when its event comes in time
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When 10 minutes pass
    And the contributor publishes the pull request
    Then the event is accepted
    When another 26 minutes pass
    Then the pull request has its ref at the commit side
    And the pull request is served

  @G01-PR-08.same-commit @wait:36m
  Scenario: a ref stays when another one of the same commit goes whose event has not come
    Given the stranger drafted a pull request "never" of the commit side
    And a client pushed the commit side for the pull request "never"
    And the contributor published a pull request "early" of the commit side
    And a client pushed the commit side for the pull request "early"
    And the pull request "early" is served
    When 26 minutes pass
    Then the pull request "never" has no ref
    And the pull request "early" has its ref at the commit side

  @G01-PR-08.other-deleted @wait:26m
  Scenario: a ref stays when the pull request of another one of the same commit is deleted
    Given the stranger published a pull request "gone" of the commit side
    And a client pushed the commit side for the pull request "gone"
    And the contributor published a pull request "lasting" of the commit side
    And a client pushed the commit side for the pull request "lasting"
    And the pull request "gone" is served
    And the pull request "lasting" is served
    And the stranger's request to delete the pull request "gone" is taken
    When 26 minutes pass
    Then the pull request "lasting" has its ref at the commit side
    And the pull request "lasting" is served

  @G01-PR-08.event-first @wait:36m
  Scenario: a ref stays whose event came first
    Given the contributor published a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    When 36 minutes pass
    Then the pull request has its ref at the commit side
    And the pull request is served

  @G01-PR-08.merged
  Scenario: a ref stays when its commit is merged
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the owner publishes the state:
      | refs/heads/main | side |
    Then the event is accepted
    And this push is accepted:
      | refs/heads/main | side |
    And the repository still has exactly:
      | refs/heads/main           | side |
      | refs/nostr/{pull request} | side |

  @G01-PR-08.merged-later @wait:36m
  Scenario Outline: the ref of a merged <event> stays for good, whose commit is <how>
    Given the contributor published a pull request of the commit <first>
    And a client pushed the commit <first> for the pull request
    And the contributor published <form> of the commit second
    And a client pushed the commit second for the <event>
    And the owner published the state:
      | refs/heads/main | <main> |
    And a client brought what was missing of:
      | refs/heads/main | <main> |
    When 2 minutes pass
    Then the <event> has its ref at the commit second
    When another 20 minutes pass
    Then the <event> has its ref at the commit second
    When another 14 minutes pass
    Then the <event> has its ref at the commit second
    And the <event> is still served
    And the repository still has exactly:
      | refs/heads/main | <main> |

    Examples:
      | id           | event        | form           | how                  | main   | first  |
      | tip          | pull request | a pull request | the tip of main      | second | second |
      | below        | pull request | a pull request | below the tip        | third  | second |
      | update       | update       | an update      | the tip of main      | second | side   |
      | update-below | update       | an update      | below the tip        | third  | side   |

  @G01-PR-09
  Scenario: whether a large pull request is taken is recorded
    Given the contributor drafted a pull request of the commit large
    When a client pushes the commit large for the pull request
    Then the push is accepted or refused

  @G01-PR-10
  Scenario Outline: a ref that is named after <event> is refused, beside a pull request that was <did>
    Given the contributor <did> a pull request of the commit side
    And the contributor publishes <event> naming the owner's repository by a
    And the event is accepted
    When a client pushes:
      | refs/nostr/{event} | side |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id            | event     | did       |
      | issue         | an issue  | drafted   |
      | patch         | a patch   | drafted   |
      | comment       | a comment | drafted   |
      | issue-known   | an issue  | published |
      | patch-known   | a patch   | published |
      | comment-known | a comment | published |

  @G01-PR-11
  Scenario Outline: the ref of an accepted <event> is not for others to <act>, beside one <that>
    Given the stranger <did> a pull request "other" of the commit second
    And the contributor published <form> of the commit side
    And a client pushed the commit side for the <event>
    And the <event> is served
    When a client pushes:
      | refs/nostr/{<event>} | <object> |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request other} | second |

    Examples:
      | id               | event        | form           | act    | object   | did       | that            |
      | overwrite        | pull request | a pull request | move   | second   | drafted   | nobody knows    |
      | deletion         | pull request | a pull request | delete | (delete) | drafted   | nobody knows    |
      | update-overwrite | update       | an update      | move   | second   | drafted   | nobody knows    |
      | update-deletion  | update       | an update      | delete | (delete) | drafted   | nobody knows    |
      | known-overwrite  | pull request | a pull request | move   | second   | published | that is known   |
      | known-deletion   | pull request | a pull request | delete | (delete) | published | that is known   |

  @G01-PR-11.among
  Scenario Outline: the ref of an accepted pull request is not for others to move in a push of several, <order>
    Given the stranger drafted a pull request "other" of the commit second
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When a client pushes:
      | refs/nostr/{<one>}   | second |
      | refs/nostr/{<other>} | second |
    Then the ref refs/nostr/{pull request} is refused
    But this push is accepted:
      | refs/nostr/{pull request other} | second |

    Examples:
      | id     | order             | one                | other              |
      | behind | behind another    | pull request other | pull request       |
      | first  | before another    | pull request       | pull request other |

  @G01-PR-15
  Scenario: a branch and a pull request may come in one push
    Given the contributor published a pull request of the commit side
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main           | second |
      | refs/nostr/{pull request} | side   |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main           | second |
      | refs/nostr/{pull request} | side   |
    And the state is served
    And the pull request is served

  @G01-PR-15.update
  Scenario: a branch and an update may come in one push
    Given the contributor published an update of the commit side
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main     | second |
      | refs/nostr/{update} | side   |
    Then the push succeeds
    And the state is served
    And the update is served

  @G01-PR-15.branch
  Scenario: a pull request beside it authorizes no branch
    Given the contributor drafted a pull request of the commit side
    When a client pushes:
      | refs/heads/dev            | side |
      | refs/nostr/{pull request} | side |
    Then the ref refs/heads/dev is refused
    But this push is accepted:
      | refs/nostr/{pull request} | side |

  @G01-PR-15.behind @hostile
  Scenario Outline: behind a pull request no <what> passes without being judged, <that>
    Given the stranger <did> a pull request "other" of the commit second
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When a client pushes:
      | refs/nostr/{pull request other} | second   |
      | <ref>                           | <object> |
    Then the ref <ref> is refused
    But this push is accepted:
      | refs/nostr/{pull request other} | second |

    Examples:
      | id              | what                    | that                        | did       | ref                       | object   |
      | branch          | new branch              | whose event nobody knows    | drafted   | refs/heads/evil           | second   |
      | tag             | new tag                 | whose event nobody knows    | drafted   | refs/tags/evil            | second   |
      | moved           | other place of a branch | whose event nobody knows    | drafted   | refs/heads/main           | second   |
      | deletion        | deletion of a branch    | whose event nobody knows    | drafted   | refs/heads/main           | (delete) |
      | foreign         | ref that is neither     | whose event nobody knows    | drafted   | refs/notes/evil           | second   |
      | taken           | ref of somebody else    | whose event nobody knows    | drafted   | refs/nostr/{pull request} | (delete) |
      | known-branch    | new branch              | whose event waits for it    | published | refs/heads/evil           | second   |
      | known-moved     | other place of a branch | whose event waits for it    | published | refs/heads/main           | second   |
      | known-foreign   | ref that is neither     | whose event waits for it    | published | refs/notes/evil           | second   |

  @G01-PR-15.pull-request
  Scenario: a branch beside it authorizes no wrong commit of a pull request
    Given the contributor published a pull request of the commit side
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main           | second |
      | refs/nostr/{pull request} | second |
    Then the ref refs/nostr/{pull request} is refused
    But a push of the latest state then succeeds:
      | refs/heads/main           | second |
      | refs/nostr/{pull request} | side   |

  @G01-PR-16
  Scenario: a ref of a pull request is in no branch's way
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main           | second |
      | refs/nostr/{pull request} | side   |

  @G01-PR-16.state
  Scenario: a state that is applied at once leaves the refs of pull requests alone
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/heads/dev  | first |
    Then the event is accepted
    And this push is accepted:
      | refs/heads/main | first |
      | refs/heads/dev  | first |
    And the repository has exactly:
      | refs/heads/main           | first |
      | refs/heads/dev            | first |
      | refs/nostr/{pull request} | side  |

  @G01-PR-16.emptied
  Scenario: a state that drops the last branch leaves the refs of pull requests alone, those that wait too
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "one" of the commit side
    And a client pushed the commit side for the pull request "one"
    And the pull request "one" is served
    And the stranger drafted a pull request "next" of the commit second
    And a client pushed the commit second for the pull request "next"
    When the owner publishes the state:
      | HEAD | refs/heads/main |
    Then the event is answered without a failure
    And the announcement is still served
    And the pull request "one" has its ref at the commit side
    And the pull request "next" has its ref at the commit second

  @G01-PR-17
  Scenario Outline: the tip of a pull request can be fetched by its <way> in protocol version <version>
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    Then the tip of the pull request can be fetched by its <way> in protocol version <version>

    Examples:
      | id    | way | version |
      | ref-0 | ref | 0       |
      | ref-2 | ref | 2       |
      | oid-0 | id  | 0       |
      | oid-2 | id  | 2       |

  @G01-PR-18 @wait:26m
  Scenario: the ref of a deleted pull request goes like one without an event
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When the contributor's request to delete the pull request is taken
    Then the pull request is not served any more
    When 26 minutes pass
    Then the pull request has no ref

  @G01-PR-18.both @wait:26m
  Scenario: the ref of a deleted pull request goes in each of the repositories that it is for
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    And the owner's repository "two" is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side to the owner's repository "one" and the owner's repository "two"
    And a client pushed to the owner's repository "one":
      | refs/nostr/{pull request} | side |
    And a client pushed to the owner's repository "two":
      | refs/nostr/{pull request} | side |
    And the pull request is served
    When the contributor's request to delete the pull request is taken
    Then the pull request is not served any more
    When 26 minutes pass
    Then the pull request has no ref in the owner's repository "one"
    And the pull request has no ref in the owner's repository "two"

  @G01-PR-18.held
  Scenario: a pull request that was deleted while it waited is not released
    Given the contributor's pull request of the commit side waits
    When the contributor's request to delete the pull request is taken
    And a client pushes the commit side for the pull request
    Then the push is accepted or refused
    And the pull request is not served
