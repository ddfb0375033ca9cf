Feature: Repository announcements
  An announcement is taken when it lists this service under clone and under relays.

  @G01-ANN-01
  Scenario: an announcement that lists this service is accepted
    When the owner announces the repository
    Then the event is accepted

  @G01-ANN-01.content
  Scenario: an announcement that has a text is accepted like any other
    When the owner publishes an event of kind 30617 with the tags:
      | ["d","{identifier}"]                                |
      | ["clone","{scheme}://{host}/{npub}/{identifier}.git"] |
      | ["relays","{own relay}"]                            |
    Then the event is accepted

  @G01-ANN-02
  Scenario: an announcement that lists another clone host is refused
    When the owner announces the repository with:
      | clone | https://git.example.invalid/{npub}/{identifier}.git |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

  @G01-ANN-02.web
  Scenario: an announcement that names this service for its pages alone is refused
    When the owner announces the repository with:
      | clone | https://git.example.invalid/{npub}/{identifier}.git |
      | web   | {scheme}://{host}/{npub}/{identifier}.git           |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

  @G01-ANN-03
  Scenario: an announcement that lists another relay is refused
    When the owner announces the repository with:
      | relays | wss://relay.example.invalid |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

  @G01-ANN-04
  Scenario Outline: an announcement without the tag <tag> is refused
    When the owner announces the repository with:
      | <tag> | (none) |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

    Examples:
      | id     | tag    |
      | clone  | clone  |
      | relays | relays |

  # Whose the public key in the URL has to be says no text: the path of somebody else is no look-alike.
  @G01-ANN-05
  Scenario Outline: a look-alike of this service is another service: <look-alike>
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is refused
    And the announcement is not served
    And the owner's repository is not there
    But the same announcement listing this service is accepted

    Examples:
      | id            | look-alike                            | tag    | value                                                                                               |
      | host-suffix   | the host with a suffix                | clone  | {scheme}://{hostname}.example.invalid/{npub}/{identifier}.git                                       |
      | host-prefix   | the host with a prefix                | clone  | {scheme}://x{host}/{npub}/{identifier}.git                                                          |
      | host-under    | the host below another label          | clone  | {scheme}://git.{host}/{npub}/{identifier}.git                                                       |
      | host-dot      | another host behind the whole of it   | clone  | {scheme}://{host}.example.invalid/{npub}/{identifier}.git                                           |
      | host-path     | the host as a path                    | clone  | {scheme}://git.example.invalid/{host}/{npub}/{identifier}.git                                       |
      | url-path      | the URL as a path                     | clone  | {scheme}://git.example.invalid/{scheme}://{host}/{npub}/{identifier}.git                            |
      | host-query    | the host in a query                   | clone  | {scheme}://git.example.invalid/{npub}/{identifier}.git?at={host}                                    |
      | url-query     | the URL in a query                    | clone  | {scheme}://git.example.invalid/{npub}/{identifier}.git?at={scheme}://{host}/{npub}/{identifier}.git |
      | host-fragment | the host in a fragment                | clone  | {scheme}://git.example.invalid/{npub}/{identifier}.git#{host}                                       |
      | url-fragment  | the URL in a fragment                 | clone  | {scheme}://git.example.invalid/{npub}/{identifier}.git#{scheme}://{host}/{npub}/{identifier}.git    |
      | host-user     | the host as user name                 | clone  | {scheme}://{hostname}@git.example.invalid/{npub}/{identifier}.git                                   |
      | port-user     | the host and its port as user name    | clone  | {scheme}://{host}@git.example.invalid/{npub}/{identifier}.git                                       |
      | pass-user     | the host as user name with a password | clone  | {scheme}://{host}:x@git.example.invalid/{npub}/{identifier}.git                                     |
      | other-port    | the host at another port              | clone  | {scheme}://{hostname}:{other port}/{npub}/{identifier}.git                                          |
      | longer-port   | a port that begins like the own one   | clone  | {scheme}://{hostname}:{longer port}/{npub}/{identifier}.git                                         |
      | shorter-port  | a port that the own one begins with   | clone  | {scheme}://{hostname}:{shorter port}/{npub}/{identifier}.git                                        |
      | other-scheme  | the host by another protocol          | clone  | ssh://{host}/{npub}/{identifier}.git                                                                |
      | no-path       | the service alone                     | clone  | {scheme}://{host}                                                                                   |
      | npub-short    | an author of one letter               | clone  | {scheme}://{host}/n/{identifier}.git                                                                |
      | npub-alone    | the author alone                      | clone  | {scheme}://{host}/{npub}                                                                            |
      | no-git        | a clone URL without its suffix        | clone  | {scheme}://{host}/{npub}/{identifier}                                                               |
      | no-name       | a clone URL without a name            | clone  | {scheme}://{host}/{npub}/.git                                                                       |
      | deeper        | a clone URL of one part more          | clone  | {scheme}://{host}/{npub}/x/{identifier}.git                                                         |
      | clone-below   | a clone URL below another path        | clone  | {scheme}://{host}/elsewhere/{npub}/{identifier}.git                                                 |
      | relay-below   | the relay host below another path     | relays | {ws}://{host}/elsewhere                                                                             |
      | relay-suffix  | a relay host with a suffix            | relays | {ws}://{hostname}.example.invalid                                                                   |
      | relay-prefix  | a relay host with a prefix            | relays | {ws}://x{host}                                                                                      |
      | relay-dot     | another relay behind the whole of it  | relays | {ws}://{host}.example.invalid                                                                       |
      | relay-path    | the relay host as a path              | relays | {ws}://relay.example.invalid/{host}                                                                 |
      | relay-url     | the relay URL as a path               | relays | {ws}://relay.example.invalid/{ws}://{host}                                                          |
      | relay-query   | the relay URL in a query              | relays | {ws}://relay.example.invalid/?at={ws}://{host}                                                      |
      | relay-frag    | the relay URL in a fragment           | relays | {ws}://relay.example.invalid/#{ws}://{host}                                                         |
      | relay-user    | the relay host as user name           | relays | {ws}://{host}@relay.example.invalid                                                                 |
      | relay-pass    | the relay host with a password        | relays | {ws}://{host}:x@relay.example.invalid                                                               |
      | relay-port    | the relay host at another port        | relays | {ws}://{hostname}:{other port}                                                                      |
      | relay-longer  | a relay port that begins like it      | relays | {ws}://{hostname}:{longer port}                                                                     |
      | relay-shorter | a relay port that it begins with      | relays | {ws}://{hostname}:{shorter port}                                                                    |

  @G01-ANN-09
  Scenario Outline: an announcement <without> identifier is refused
    When the owner announces the repository with:
      | d | <value> |
    Then the event is refused
    And the announcement is not served
    But the same announcement with the identifier is accepted

    Examples:
      | id      | without       | value   |
      | missing | without an    | (none)  |
      | empty   | with an empty | (empty) |
      | bare    | with a bare   | (bare)  |

  @G01-ANN-10 @hostile
  Scenario Outline: an identifier that leaves its place is refused: <case>
    When the owner announces the repository with:
      | d | <identifier> |
    Then the event is refused
    And the announcement is not served
    But the same announcement with the identifier is accepted

    Examples:
      | id        | case             | identifier           |
      | dot       | a dot            | .                    |
      | dots      | two dots         | ..                   |
      | slash     | a slash          | {identifier}/b       |
      | parent    | a parent         | ../{identifier}      |
      | backslash | a backslash      | {identifier}{backslash}b |
      | nul       | a zero character | {identifier}{nul}b   |

  @G01-ANN-14
  Scenario: a maintainer's announcement need not list this service
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the maintainer announces the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}                                             |
    Then the event is accepted
    And the announcement is served

  @G01-ANN-14.chain
  Scenario: the chain of maintainers goes through an announcement that does not list this service
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the maintainer announces the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}, {second maintainer}                        |
    Then the event is accepted
    And the second maintainer announced the repository naming the maintainer
    And the second maintainer published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-ANN-14.chain-beyond
  Scenario: whom only an announcement names that does not list this service need not list it, either
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the maintainer announces the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}, {second maintainer}                        |
    Then the event is accepted
    When the second maintainer announces the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {maintainer}                                        |
    Then the event is accepted
    And the second maintainer published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-ANN-15
  Scenario: an unlisted key's announcement has to list this service
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the stranger announces the repository with:
      | clone  | https://git.example.invalid/{npub}/{identifier}.git |
      | relays | wss://relay.example.invalid                         |
    Then the event is refused
    And the announcement is not served
    But the same announcement listing this service is accepted

  @G01-ANN-16
  Scenario: a newer announcement replaces a served one at once
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted, waiting for nothing
    And the announcement is served
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-ANN-16.live
  Scenario: a newer announcement is sent to who listens to the owner
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And a listener followed the owner's events
    When the owner announces the repository
    Then the event is accepted
    And the listener gets the announcement

  @G01-ANN-16.often
  Scenario: the sixth version of an announcement replaces the fifth as the second one replaces the first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository with:
      | description | the second one |
    And the owner announced the repository with:
      | description | the third one |
    And the owner announced the repository with:
      | description | the fourth one |
    And the owner announced the repository with:
      | description | the fifth one |
    When the owner announces the repository with:
      | description | the sixth one |
    Then the event is accepted, waiting for nothing
    And the announcement is served
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-ANN-16.places
  Scenario Outline: a newer announcement that names <more> replaces a served one at once
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | <tag> | <values> |
    Then the event is accepted, waiting for nothing
    And the announcement is served
    And the repository still has exactly:
      | refs/heads/main | first |

    Examples:
      | id          | more                          | tag    | values                                                                                                     |
      | relay       | another relay                 | relays | {ws}://{host}, wss://relay.example.invalid                                                                 |
      | relay-first | another relay before this one | relays | wss://relay.example.invalid, {ws}://{host}                                                                 |
      | host        | another host                  | clone  | {scheme}://{host}/{npub}/{identifier}.git, https://git.example.invalid/{npub}/{identifier}.git            |
      | host-first  | another host before this one  | clone  | https://git.example.invalid/{npub}/{identifier}.git, {scheme}://{host}/{npub}/{identifier}.git            |

  @G01-ANN-16.head
  Scenario: a newer announcement leaves HEAD where it is
    Given the owner's repository is served with:
      | refs/heads/main | first          |
      | refs/heads/dev  | second         |
      | HEAD            | refs/heads/dev |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted, waiting for nothing
    And HEAD is refs/heads/dev in protocol version 2

  @G01-ANN-16.waiting
  Scenario: a state that waits goes on waiting when a newer announcement replaces a served one
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted, waiting for nothing
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-ANN-16.maintainer
  Scenario: a newer announcement leaves the refs where a maintainer's newer state has them
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    When the owner announces the repository with:
      | description | another description |
      | maintainers | {maintainer}        |
    Then the event is accepted, waiting for nothing
    And the repository still has exactly:
      | refs/heads/main | second |
    And the state is still served

  @G01-ANN-16.waiting-maintainer
  Scenario: a maintainer's state that waits goes on waiting when a newer announcement replaces a served one
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    When the owner announces the repository with:
      | description | another description |
      | maintainers | {maintainer}        |
    Then the event is accepted, waiting for nothing
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-ANN-16.pulls
  Scenario: a newer announcement leaves the refs of pull requests, those that wait too
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "one" of the commit second
    And a client pushed the commit second for the pull request "one"
    And the pull request "one" is served
    And the contributor published a pull request "two" of the commit third
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted, waiting for nothing
    And the pull request "one" has its ref at the commit second
    And the pull request "one" is still served
    When a client pushes the commit third for the pull request "two"
    Then the push succeeds
    And the pull request "two" is served

  @G01-ANN-16.emptied
  Scenario: an announcement stays served when the last branch of its repository goes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | HEAD | refs/heads/main |
    When a client pushes:
      | refs/heads/main | (delete) |
    Then the push is accepted or refused
    And the announcement is still served

  @G01-ANN-16.talk
  Scenario: what refers to a repository is accepted behind a newer announcement of it as before
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted, waiting for nothing
    And the announcement is served
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is accepted
    And the event is served
    When the contributor publishes a comment naming the owner's repository by A
    Then the event is accepted
    And the event is served
    When the contributor publishes a note naming the owner's repository by q
    Then the event is accepted
    And the event is served
    When the contributor publishes a pull request of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-ANN-16.same
  Scenario: a newer announcement that says nothing new is served in place of the older one
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository
    Then the event is accepted, waiting for nothing
    And the announcement is served
    When the owner announces the repository with:
      | web | https://web.example.invalid |
      | t   | topic                       |
    Then the event is accepted, waiting for nothing
    And the announcement is served

  @G01-ANN-16.issues
  Scenario: what others have said of a repository stays served when a newer announcement of it comes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes an event of kind 1621 "theirs" with the tags:
      | ["a","30617:{owner}:{identifier}"] |
    Then the event is accepted
    And the event "theirs" is served
    When the owner announces the repository with:
      | description | another description |
    Then the announcement is served
    And the event "theirs" is still served

  @G01-ANN-16.back
  Scenario: a repository may be announced here again when one announcement did not list this service
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | clone  | https://git.example.invalid/x.git |
      | relays | wss://relay.example.invalid       |
    Then the event is answered without a failure
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted

  @G01-ANN-17
  Scenario: an older announcement replaces nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner's announcement "newer" dated 300 and then "older" dated 200 arrive
    Then the announcement "newer" is served
    And the announcement "older" is not served
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-ANN-17.ties
  Scenario: an announcement of one time and a higher id replaces nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When two versions of the owner's announcement of one time arrive, the lower id first
    Then only the version with the lower id is served

  @G01-ANN-17.page
  Scenario Outline: of two announcements of one time the page shows the one of the lower id, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And two versions of the owner's announcement of one time that differ in name and maintainer arrived, the <order> id first
    And the announcement "lower" is served
    When a visitor opens the page of the owner's repository
    Then the page names nothing of the version with the higher id

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @G01-ANN-17.maintainer
  Scenario Outline: of two announcements of one time the one of the higher id gives nobody authority, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And two versions of the owner's announcement of one time that differ in name and maintainer arrived, the <order> id first
    And whom the version with the higher id names sends the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @G01-ANN-17.held
  Scenario Outline: of two announcements of one time that are held the one of the lower id is released, the <order> one first
    Given two versions of the owner's announcement of one time that differ in name and maintainer arrived, the <order> id first
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And only the version with the lower id is served
    When a visitor opens the page of the owner's repository
    Then the page names nothing of the version with the higher id

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @G01-ANN-06
  Scenario Outline: a trailing slash in the value of <tag> makes no difference
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is accepted

    Examples:
      | id     | tag    | value                                         |
      | clone  | clone  | {scheme}://{host}/{npub}/{identifier}.git/    |
      | relays | relays | {ws}://{host}/                                |

  @G01-ANN-07
  Scenario Outline: the other scheme in the value of <tag> lists this service too
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is accepted

    Examples:
      | id     | tag    | value                                           |
      | clone  | clone  | {other scheme}://{host}/{npub}/{identifier}.git |
      | relays | relays | {other ws}://{host}                             |

  @G01-ANN-08
  Scenario Outline: the service may stand at another place of the tag <tag>
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is accepted

    Examples:
      | id     | tag    | value                                                                                       |
      | clone  | clone  | https://git.example.invalid/x.git, ssh://git.example.invalid/x, {scheme}://{host}/{npub}/{identifier}.git |
      | relays | relays | wss://relay.example.invalid, wss://other.example.invalid, {ws}://{host}                     |

  @G01-ANN-08.beside
  Scenario Outline: an announcement that lists <what> beside this service is accepted
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is accepted
    And the repository answers git and is empty

    Examples:
      | id       | what                                 | tag    | value                                                                                                 |
      | scp      | a place for ssh without a scheme     | clone  | {scheme}://{host}/{npub}/{identifier}.git, git@git.example.invalid:owner/x.git                        |
      | first    | a place for ssh in front             | clone  | git@git.example.invalid:owner/x.git, {scheme}://{host}/{npub}/{identifier}.git                        |
      | git      | a place for git's own protocol       | clone  | {scheme}://{host}/{npub}/{identifier}.git, git://git.example.invalid/x.git                            |
      | nostr    | a place by nostr                     | clone  | {scheme}://{host}/{npub}/{identifier}.git, nostr://{npub}/{identifier}                                |
      | six      | an address in brackets               | clone  | {scheme}://{host}/{npub}/{identifier}.git, https://[2001:db8::1]:8443/x.git                           |
      | user     | a place with a user name             | clone  | {scheme}://{host}/{npub}/{identifier}.git, https://user@git.example.invalid/x.git                     |
      | letters  | a place of letters beyond ASCII      | clone  | {scheme}://{host}/{npub}/{identifier}.git, https://git.exämple.invalid/grün.git                       |
      | twice    | the service twice                    | clone  | {scheme}://{host}/{npub}/{identifier}.git, {scheme}://{host}/{npub}/{identifier}.git                  |
      | nothing  | an empty place                       | clone  | {scheme}://{host}/{npub}/{identifier}.git, (empty)                                                    |
      | many     | many places                          | clone  | https://a.example.invalid/x, https://b.example.invalid/x, https://c.example.invalid/x, https://d.example.invalid/x, https://e.example.invalid/x, https://f.example.invalid/x, https://g.example.invalid/x, https://h.example.invalid/x, https://i.example.invalid/x, {scheme}://{host}/{npub}/{identifier}.git |
      | bare     | a relay without a scheme             | relays | {ws}://{host}, relay.example.invalid                                                                  |
      | onion    | a relay at an onion                  | relays | {ws}://{host}, ws://exampleexampleexampleexampleexampleexampleexampleexample.onion                    |
      | again    | the relay twice                      | relays | {ws}://{host}, {ws}://{host}                                                                          |
      | path     | a relay below a path with a query    | relays | {ws}://{host}, wss://relay.example.invalid/nostr?key=value                                            |
      | none     | an empty relay                       | relays | {ws}://{host}, (empty)                                                                                |

  @G01-ANN-08.odd
  Scenario: an announcement that lists malformed URLs beside this service does no harm
    When the owner announces the repository with:
      | clone  | http://[::1, %zz, ://, http://::1:80:80/x, :, ?, #, http:x, {scheme}://{host}/{npub}/{identifier}.git |
      | relays | ws://[::1, ws://%zz, ://, ws:, :, //, ws:x, {ws}://{host}                                              |
    Then the event is answered without a failure

  @G01-ANN-11
  Scenario Outline: an identifier with <what> is legal and escaped in the path
    Given the identifier ends in "<ending>"
    When the owner announces the repository
    Then the event is accepted
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the announcement is served

    Examples:
      | id      | what             | ending   |
      | space   | a space          | my repo  |
      | emoji   | an emoji         | -🚀      |
      | umlaut  | an umlaut        | -grün    |
      | plus    | a plus sign      | -c++     |
      | percent | a percent sign   | -~100%   |
      | hash    | a number sign    | -c#      |
      | asks    | a question mark  | -what?   |
      | upper   | upper-case ASCII | -UPPER_x |
      | colon   | a colon          | :x       |
      | colons  | two colons       | :x:y     |
      | suffix  | the suffix of repositories | .git |

  @G01-ANN-12
  Scenario Outline: a path is decoded once: <what>
    Given the identifier ends in "<ending>"
    When the owner announces the repository
    Then the repository answers git and is empty
    And nothing is there under the ending "<other>"

    Examples:
      | id      | what                                 | ending | other |
      | percent | a percent sign is no escape          | a%20b  | a b   |
      | double  | an escaped percent sign is no escape | a%2520b | a%20b |
      | plus    | a plus sign is no space              | a+b    | a b   |

  @G01-ANN-13
  Scenario: what an operator says of announcements by unknown keys is recorded
    When the owner announces the repository
    Then the answer to the event is recorded

  @G01-ANN-18
  Scenario: what becomes of a served repository that leaves the service is recorded
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | clone  | https://git.example.invalid/{npub}/{identifier}.git |
      | relays | wss://relay.example.invalid                         |
    Then the answer to the event is recorded
    And it is recorded whether the announcement is served

  @G01-ANN-18.held
  Scenario: what becomes of a held repository that leaves the service is recorded
    Given the owner announced the repository
    When the owner announces the repository with:
      | clone  | https://git.example.invalid/{npub}/{identifier}.git |
      | relays | wss://relay.example.invalid                         |
    Then the answer to the event is recorded

  @G01-ANN-19
  Scenario: repositories of two owners with one identifier are independent
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger announced the repository
    And the stranger published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When a client pushes to the stranger's repository:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-ANN-19.waiting
  Scenario: states of two owners with one identifier wait side by side, and each is released by its own push
    Given the owner announced the repository
    And the stranger announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger published the state "theirs":
      | refs/heads/main | unrelated |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |
    When a client pushes to the stranger's repository:
      | refs/heads/main | unrelated |
    Then the push succeeds
    And the state "theirs" is served
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-ANN-20
  Scenario: an announcement is served as its author signed it
    Given the owner announced the repository with:
      | description | "Quotes", <tags> & ümläuts, 日本語 🚀     |
      | web         | https://one.example.invalid, https://two.example.invalid |
      | x-unknown   | a, , b, c, d, e, f, g, h, i, j            |
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the announcement is served as it was signed

  @G01-ANN-21
  Scenario Outline: an announcement with <what> is accepted
    When the owner announces the repository with:
      | <tag> | <value> |
    Then the event is accepted

    Examples:
      | id      | what                      | tag     | value                                        |
      | fork    | the mark of a fork        | u       | 30617:{stranger}:{identifier}                |
      | topic   | a topic                   | t       | grasp                                        |
      | web     | several web pages         | web     | https://one.example.invalid, https://two.example.invalid |
      | euc     | an earliest unique commit | r       | 1111111111111111111111111111111111111111, euc |
      | unknown | a tag that nobody knows   | x-other | a, b, c                                      |
      | nobody  | a list of no maintainers  | maintainers | (bare)                                   |
      | crowd   | many maintainers          | maintainers | {200 keys}                               |
      | long    | a long description        | description | {long}                                   |
