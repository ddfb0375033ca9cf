Feature: Negentropy
  A client and a relay find out what either of them lacks without sending every id.

  @N77-01
  Scenario Outline: a client that has <own> learns exactly what either side lacks
    Given the contributor posted 40 issues
    And the stranger posted the issue "other"
    When a client that has <own> reconciles the contributor's issues
    Then it learns exactly what either side lacks

    Examples:
      | id       | own                             |
      | nothing  | none of the issues              |
      | all      | all of the issues               |
      | half     | every other issue               |
      | one      | one of the issues               |
      | stranger | 3 issues of which nobody knows  |
      | both     | every other issue and 3 unknown |

  @N77-01
  Scenario Outline: a reconciliation by <filter> holds what matches and nothing else
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    And the contributor posted the issue "blue" dated 300
    And the stranger posted a comment "reply" on the issue "red" dated 400
    When a client that has nothing reconciles by <filter>
    Then the reconciliation holds exactly <events>

    Examples:
      | id           | filter                           | events                 |
      | by-ids       | two ids                          | "red", "green"         |
      | by-author    | author                           | "red", "green", "blue" |
      | by-kind      | kind                             | "reply"                |
      | by-lower-tag | a lower-case tag                 | "green"                |
      | by-upper-tag | an upper-case tag                | "reply"                |
      | by-since     | a since at the time of green     | "green", "blue"        |
      | by-window    | since and until both at green    | "green"                |
      | by-nothing   | author and another author's kind | nothing                |

  @N77-01.again
  Scenario: a reconciliation is of what is there when it begins, whatever was there before
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    When a client that has nothing reconciles by author
    Then the reconciliation holds exactly "red", "green"
    When the contributor posts the issue "blue"
    Then the event is accepted
    When a client that has nothing reconciles by author
    Then the reconciliation holds exactly "red", "green", "blue"

  @N77-01.parts
  Scenario: every part of the filter of a reconciliation counts
    Given these events were accepted:
      | name   | author      | kind | topic | shade | date |
      | red    | contributor | 1621 | red   | warm  | 100  |
      | green  | contributor | 1621 | green | cold  | 200  |
      | blue   | contributor | 1621 | blue  | cold  | 300  |
      | rose   | stranger    | 1621 | red   | cold  | 350  |
      | patch  | stranger    | 1617 | red   | warm  | 400  |
      | reply  | stranger    | 1111 | red   | red   | 500  |
      | answer | maintainer  | 1111 | red   | reply | 550  |
      | draft  | maintainer  | 1617 | green | cold  | 600  |
    Then reconciliations by these filters hold what matches and nothing else:
      | filter                                                                  | events                                    |
      | ids red or reply                                                        | "red", "reply"                            |
      | ids reply or red                                                        | "red", "reply"                            |
      | ids patch                                                               | "patch"                                   |
      | ids red, kinds 1621                                                     | "red"                                     |
      | ids red or patch, kinds 1617                                            | "patch"                                   |
      | ids red, authors stranger                                               | nothing                                   |
      | ids red or patch, authors stranger                                      | "patch"                                   |
      | ids red or green, t green                                               | "green"                                   |
      | ids red or green, since green                                           | "green"                                   |
      | authors contributor or maintainer                                       | "red", "green", "blue", "answer", "draft" |
      | authors maintainer or contributor                                       | "red", "green", "blue", "answer", "draft" |
      | authors stranger or maintainer, kinds 1621                              | "rose"                                    |
      | authors contributor, t red                                              | "red"                                     |
      | authors stranger, t red                                                 | "rose", "patch"                           |
      | authors stranger, kinds 1111 or 1617                                    | "patch", "reply"                          |
      | authors stranger, kinds 1617 or 1111                                    | "patch", "reply"                          |
      | authors maintainer, kinds 1621                                          | nothing                                   |
      | authors stranger, until patch                                           | "rose", "patch"                           |
      | authors stranger, since patch                                           | "patch", "reply"                          |
      | authors contributor, since green, until green                           | "green"                                   |
      | kinds 1621 or 1617, t red                                               | "red", "rose", "patch"                    |
      | kinds 1617 or 1621, t red                                               | "red", "rose", "patch"                    |
      | kinds 1617, t red                                                       | "patch"                                   |
      | kinds 1621, t red or green                                              | "red", "green", "rose"                    |
      | kinds 1111, t red                                                       | nothing                                   |
      | kinds 1621, l cold                                                      | "green", "blue", "rose"                   |
      | kinds 1617, authors maintainer, t green, l cold, since red, until draft | "draft"                                   |
      | t red or green                                                          | "red", "green", "rose", "patch", "draft"  |
      | t green or red                                                          | "red", "green", "rose", "patch", "draft"  |
      | t red or yellow                                                         | "red", "rose", "patch"                    |
      | t yellow or red                                                         | "red", "rose", "patch"                    |
      | t red, l warm                                                           | "red", "patch"                            |
      | t green or red, l cold                                                  | "green", "rose", "draft"                  |
      | t red, l cold or warm                                                   | "red", "rose", "patch"                    |
      | t yellow, l cold                                                        | nothing                                   |
      | t red, l yellow                                                         | nothing                                   |
      | t red, since rose                                                       | "rose", "patch"                           |
      | t red, until red                                                        | "red"                                     |
      | E red                                                                   | "reply", "answer"                         |
      | e red                                                                   | "reply"                                   |
      | E red, e reply                                                          | "answer"                                  |
      | E reply                                                                 | nothing                                   |
      | e reply                                                                 | "answer"                                  |

  @N77-01.dressed @further
  Scenario: issues in every dress are reconciled
    Given issues of the contributor in every dress were sent
    Then reconciliations by these filters hold what matches and nothing else:
      | filter                          | events      |
      | authors contributor             | all of them |
      | authors contributor, t dressed | all of them |
      | t dressed                       | all of them |

  @N77-01.many
  Scenario: a set of more than a hundred events is reconciled whole
    Given the contributor posted 110 issues
    When a client that has every other issue reconciles the contributor's issues
    Then it learns exactly what either side lacks

  @N77-01.ties
  Scenario: events of one time are told apart
    Given the contributor posted 5 issues of one time
    When a client that has nothing reconciles by author
    Then it learns exactly what either side lacks

  @N77-01.ties-apart
  Scenario: of many events of one time who has all of them learns that nobody lacks any
    Given the contributor posted 40 issues of one time
    When a client that has all of the issues reconciles the contributor's issues
    Then it learns exactly what either side lacks

  @N77-02
  Scenario: a message of a later protocol version is answered with the version that is known
    When a client opens a reconciliation in protocol version 2
    Then the answer is the byte of protocol version 1 alone

  @N77-03
  Scenario: NEG-CLOSE ends a reconciliation
    Given a reconciliation of the contributor's issues is open
    When the reconciliation is closed
    Then its next message is answered with an error
    But a well-formed reconciliation is answered

  @N77-03.beside
  Scenario Outline: a reconciliation goes on behind <what> on its connection
    Given the contributor posted the issue "kept"
    And a reconciliation of the contributor's issues is open
    And <between>
    Then its next message is answered with exactly "kept"

    Examples:
      | id    | what     | between                                                     |
      | event | an event | the stranger posted the issue "other"                       |

  @N77-03.beside-query
  Scenario: a reconciliation goes on behind a query on its connection
    Given the contributor posted the issue "kept"
    And a reconciliation of the contributor's issues is open
    Then a query for the contributor's issues holds exactly "kept"
    And its next message is answered with exactly "kept"

  @N77-03.beside-count @needs:nip=45
  Scenario: a reconciliation goes on behind a count on its connection
    Given the contributor posted the issue "kept"
    And a reconciliation of the contributor's issues is open
    Then a count of the contributor's events is 1
    And its next message is answered with exactly "kept"

  @N77-03.beside-nonsense
  Scenario: a reconciliation goes on behind nonsense on its connection
    Given the contributor posted the issue "kept"
    And a reconciliation of the contributor's issues is open
    When a client sends nonsense on that connection
    Then its next message is answered with exactly "kept"

  @N77-03.apart
  Scenario: a reconciliation is that of its connection, whoever else opens one under its id
    Given the contributor posted the issue "kept"
    And the stranger posted the issue "other"
    And a reconciliation of the contributor's issues is open
    When another client opens one of the stranger's issues under that id
    Then its next message is answered with exactly "kept"

  @N77-03.replaced
  Scenario: an id that is used again replaces the reconciliation
    Given the contributor posted the issue "first"
    And the stranger posted the issue "second"
    And a reconciliation of the contributor's issues is open
    When it is replaced by one of the stranger's issues
    Then its next message is answered with exactly "second"

  @N77-03
  Scenario Outline: a reconciliation with <message> is answered with an error
    When a client opens a reconciliation with <message>
    Then the answer is an error with a machine-readable prefix
    And a query is answered
    But a well-formed reconciliation is answered

    Examples:
      | id    | message             |
      | short | a bound cut short   |
      | mode  | an unknown mode     |
      | list  | a list without ids  |
      | order | bounds in disorder  |
      | empty | no message          |
      | hex   | no hexadecimal text |
      | half  | half a byte         |
      | cut   | a list cut short    |
      | print | a fingerprint cut short |
      | long  | a prefix of 33 bytes |
      | many  | a list of millions of ids that are not there |
      | end   | a number without end |

  @N77-03
  Scenario Outline: a reconciliation that goes on with <message> is answered with an error
    When a client goes on in a reconciliation with <message>
    Then the answer is an error with a machine-readable prefix
    And a query is answered
    But a well-formed reconciliation is answered

    Examples:
      | id         | message             |
      | next-short | a bound cut short   |
      | next-mode  | an unknown mode     |
      | next-list  | a list without ids  |
      | next-order | bounds in disorder  |

  @N77-04.held
  Scenario: what waits for git data is not part of a reconciliation
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the announcement does not show in a reconciliation
    And the state does not show in a reconciliation

  @N77-04.released
  Scenario: what was released is part of a reconciliation
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then the announcement is part of a reconciliation
    And the state is part of a reconciliation

  @N77-04.replaced
  Scenario: a version that was replaced is not part of a reconciliation
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    Then the announcement "newer" is part of a reconciliation
    And the announcement "older" is no part of a reconciliation

  @N77-04.expired @serial @needs:nip=40
  Scenario: an event that has expired is not part of a reconciliation
    Given the contributor posted an issue that expires in 5 seconds
    And the issue is part of a reconciliation
    When its expiration passes
    Then the issue is no part of a reconciliation

  @N77-04.deleted
  Scenario: an event that was deleted is not part of a reconciliation
    Given the contributor posted the issue "gone"
    And the issue "gone" is part of a reconciliation
    When the contributor's request to delete the issue "gone" is taken
    Then the issue "gone" is no part of a reconciliation

  @N77-05 @hostile
  Scenario: a large set is reconciled in several rounds of bounded frames
    Given the contributor posted 2100 issues
    When a client that has none of the issues reconciles the contributor's issues
    Then it learns exactly what either side lacks
    And the relay sent several messages of at most 60000 bytes

  @N77-06
  Scenario: the end of a reconciliation leaves the subscription of the same id open
    Given a subscription for the contributor's issues is open
    And a reconciliation of the contributor's issues is open under the id of the subscription
    When the reconciliation is closed
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N77-06.malformed
  Scenario Outline: what opens a reconciliation with <message> leaves the subscription of the same id open
    Given a subscription for the contributor's issues is open
    When one of the contributor's issues is opened under the id of the subscription with <message>
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

    Examples:
      | id    | message             |
      | text  | no hexadecimal text |
      | short | a bound cut short   |

  @N77-06.opened
  Scenario: a subscription that is opened under the id of a reconciliation leaves that open
    Given the contributor posted the issue "kept"
    And a reconciliation of the contributor's issues is open
    When a subscription for the stranger's issues is opened under that id
    Then its next message is answered with exactly "kept"

  @N77-06.subscription
  Scenario: the end of a subscription leaves the reconciliation of the same id open
    Given the contributor posted the issue "kept"
    And a subscription for the contributor's issues is open
    And a reconciliation of the contributor's issues is open under the id of the subscription
    When the subscription is closed
    Then its next message is answered with exactly "kept"

  @SEC-01.reconciliation @hostile @serial @needs:nip=77
  Scenario Outline: a reconciliation that opens with <message> takes nothing down
    Given relay and git answer
    When a client opens a reconciliation with <message>
    Then relay and git still answer

    Examples:
      | id          | message                                            |
      | short       | a bound cut short                                  |
      | mode        | an unknown mode                                    |
      | list        | a list without ids                                 |
      | order       | bounds in disorder                                 |
      | empty       | no message                                         |
      | hex         | no hexadecimal text                                |
      | half        | half a byte                                        |
      | version     | a version alone                                    |
      | fingerprint | a fingerprint cut short                            |
      | cut         | a list cut short                                   |
      | prefix      | a prefix of 33 bytes                               |
      | prefix-cut  | a prefix cut short                                 |
      | thousand    | a list of a thousand ids that are not there        |
      | millions    | a list of millions of ids that are not there       |
      | milliards   | a list of a million million ids that are not there |
      | countless   | a list of more ids than can be counted             |
      | number      | a number without end                               |
      | time        | a time without end                                 |
      | beyond      | a time beyond all                                  |
      | length      | a prefix of endless length                         |
      | behind      | ranges behind the last one                         |
      | skips       | nothing but skipped ranges                         |
      | ranges      | very many empty ranges                             |
      | lists       | very many empty lists                              |
      | prints      | very many fingerprints                             |

  @SEC-01.reconciliation @hostile @serial @needs:nip=77
  Scenario Outline: a reconciliation that goes on with <message> takes nothing down
    Given relay and git answer
    When a client goes on in a reconciliation with <message>
    Then relay and git still answer

    Examples:
      | id               | message                                            |
      | next-short       | a bound cut short                                  |
      | next-list        | a list without ids                                 |
      | next-millions    | a list of millions of ids that are not there       |
      | next-number      | a number without end                               |
      | next-length      | a prefix of endless length                         |
      | next-ranges      | very many empty ranges                             |
      | next-lists       | very many empty lists                              |

  @N77-01.id
  Scenario: a reconciliation is answered under its id, of whatever characters that is
    Given the contributor posted the issue "one"
    Then reconciliations of the contributor's issues are answered under ids of every sort of character

  @N77-03.full
  Scenario: where no more reconciliations are taken one of them is replaced all the same
    Given the contributor posted the issue "kept"
    And the stranger posted the issue "other"
    When 40 reconciliations of the contributor's issues are opened
    And it is replaced by one of the stranger's issues
    Then its next message is answered with exactly "other"

  @N77-03.too-many
  Scenario: reconciliations beyond what a relay allows leave the earlier ones open
    Given the contributor posted the issue "kept"
    When 40 reconciliations of the contributor's issues are opened
    Then the first of them goes on
    And its next message is answered with exactly "kept"
    And the last of them goes on
    And its next message is answered with exactly "kept"

  @G02-NEG-01 @needs:nip=77
  Scenario: another relay that has half of the events on a repository learns the other half
    Given the contributor posted 40 issues
    When a client that has every other issue reconciles the contributor's issues
    Then it learns exactly what either side lacks

  @N77-01.agrees
  Scenario: a reconciliation is what a query brings, whichever way events have come and gone
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then a reconciliation of the owner's events is what a query brings
    When the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    Then the announcement "newer" is served
    And a reconciliation of the owner's events is what a query brings
    When the owner publishes a pull request of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served
    And a reconciliation of the owner's events is what a query brings
    When the owner asks to delete the pull request by id
    Then a reconciliation of the owner's events is what a query brings
    When the owner publishes an article "gone"
    Then the event is accepted, or such events are not taken
    When the owner asks to delete the event "gone" by address
    Then a reconciliation of the owner's events is what a query brings

  @N77-01.agrees-vanished @needs:nip=62
  Scenario: a reconciliation is what a query brings when somebody has vanished
    Given the contributor posted the issue "old" dated 100
    And the contributor posted the issue "young" dated 300
    And a reconciliation of the contributor's events is what a query brings
    When the contributor asks to vanish from this relay dated 200
    Then the issue "old" is not served any more
    And a reconciliation of the contributor's events is what a query brings

  @N77-01.agrees-restarted @serial @further @needs:restart
  Scenario: a reconciliation is what a query brings behind a restart
    Given the contributor posted the issue "one"
    And the contributor posted the issue "two"
    And the contributor's request to delete the issue "two" is taken
    When the server restarts
    Then a reconciliation of the contributor's events is what a query brings
    When the contributor posts the issue "three"
    Then the event is accepted
    And a reconciliation of the contributor's events is what a query brings
