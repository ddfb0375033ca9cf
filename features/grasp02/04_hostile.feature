Feature: Hostile hosts and URLs (GRASP-02)
  A server that fetches from the clone URLs of strangers stays unharmed. When it asks is its own affair.

  @SEC-02 @hostile @wait:61m @needs:reachback
  Scenario: only http and https URLs are fetched from
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at:
      | ftp://{at}/ftp.git                  |
      | git://{at}/git.git                  |
      | ssh://{at}/ssh.git                  |
      | file://{at}/file.git                |
      | ext::http://{at}/ext.git            |
      | git+http://{at}/plus.git            |
      | http://{at}/{identifier}.git        |
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the state is served within an hour
    And the git host was asked exactly at:
      | /{identifier}.git |

  @SEC-02.named @hostile @wait:1m @needs:reachback
  Scenario Outline: <place> of an announcement is not asked for git data
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository with:
      | <tag> | <value> |
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And the git host is asked for nothing within 10 seconds

    Examples:
      | id         | place                        | tag         | value                                                                                                       |
      | relay      | a relay                      | relays      | {ws}://{host}, ws://{at}/                                                                                   |
      | relay-path | a relay with a path          | relays      | {ws}://{host}, ws://{at}/{identifier}.git                                                                   |
      | relay-http | a relay by the scheme of git | relays      | {ws}://{host}, http://{at}/{identifier}.git                                                                 |
      | web        | a web page                   | web         | http://{at}/{identifier}.git                                                                                |
      | fork       | what it is a fork of         | u           | http://{at}/{identifier}.git                                                                                |
      | unknown    | a tag that nobody knows      | x-clone     | http://{at}/{identifier}.git                                                                                |
      | words      | its description              | description | see http://{at}/{identifier}.git                                                                            |
      | git        | a clone URL of git           | clone       | {scheme}://{host}/{npub}/{identifier}.git, git://{at}/{identifier}.git                                      |
      | ssh        | a clone URL of ssh           | clone       | {scheme}://{host}/{npub}/{identifier}.git, ssh://git@{at}/{identifier}.git                                  |
      | ext        | a clone URL with a command   | clone       | {scheme}://{host}/{npub}/{identifier}.git, ext::http://{at}/{identifier}.git                                |
      | user       | the user of a clone URL      | clone       | {scheme}://{host}/{npub}/{identifier}.git, http://{at}@git.example.invalid/{identifier}.git                 |
      | query      | the query of a clone URL     | clone       | {scheme}://{host}/{npub}/{identifier}.git, http://git.example.invalid/x.git?at=http://{at}/{identifier}.git |

  @SEC-02.refused @hostile @wait:1m @needs:reachback
  Scenario Outline: a refused announcement has nobody asked: <place>
    Given a git host has:
      | refs/heads/main | first |
    When the stranger announces the repository with:
      | <tag>   | <value>   |
      | <other> | <another> |
    Then the event is refused
    And the git host is asked for nothing within 10 seconds
    But the same announcement listing this service is accepted

    Examples:
      | id       | place                                       | tag    | value                             | other  | another                                                                 |
      | clone    | its clone URL                               | clone  | http://{at}/{identifier}.git      | relays | {ws}://{host}                                                           |
      | relays   | its relay                                   | clone  | https://git.example.invalid/x.git | relays | ws://{at}                                                               |
      | no-relay | a clone URL without a relay of this service | relays | wss://relay.example.invalid       | clone  | {scheme}://{host}/{npub}/{identifier}.git, http://{at}/{identifier}.git |

  @SEC-02.hints @hostile @wait:1m @needs:reachback
  Scenario Outline: a hint in <event> is not asked for git data
    Given a git host has:
      | refs/heads/main | second |
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the contributor publishes an event of kind <kind> with:
      | <tag> | <value> | <hint> |
    Then the answer to the event is recorded
    And the git host is asked for nothing within 10 seconds

    Examples:
      | id         | event                          | kind  | tag   | value                        | hint                         |
      | issue      | an issue                       | 1621  | a     | {repository}                 | ws://{at}/{identifier}.git   |
      | issue-http | an issue by HTTP               | 1621  | a     | {repository}                 | http://{at}/{identifier}.git |
      | comment    | a comment                      | 1111  | A     | {repository}                 | ws://{at}/{identifier}.git   |
      | note       | a note                         | 1     | q     | {repository}                 | ws://{at}/{identifier}.git   |
      | patch      | a patch                        | 1617  | a     | {repository}                 | http://{at}/{identifier}.git |
      | author     | the author of a note           | 1     | p     | {owner}                      | ws://{at}/                   |
      | list       | a list of servers              | 10317 | g     | ws://{at}/{identifier}.git   |                              |
      | relays     | a list of relays               | 10002 | r     | ws://{at}/{identifier}.git   |                              |
      | pull       | a pull request to nothing here | 1618  | clone | http://{at}/{identifier}.git |                              |

  @SEC-02.states @hostile @wait:1m @needs:reachback
  Scenario: the relay of a state that is refused is not asked for git data
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository
    When the stranger publishes an event of kind 30618 with:
      | d               | {identifier}                             |
      | refs/heads/main | 1111111111111111111111111111111111111111|
      | clone           | http://{at}/{identifier}.git             |
      | relays          | ws://{at}/{identifier}.git               |
    Then the answer to the event is recorded
    And the git host is asked for nothing within 10 seconds

  @SEC-05 @hostile @wait:61m @needs:reachback
  Scenario: refs of another host authorize nothing
    Given a git host has:
      | refs/heads/main  | second |
      | refs/heads/extra | side   |
      | refs/tags/v1     | tag    |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the state is served within an hour
    And the repository has exactly:
      | refs/heads/main | first |

  @G02-GIT-09 @hostile @wait:61m @needs:reachback
  Scenario Outline: a host that <behaves> keeps nobody from one that serves
    Given a git host "bad" has:
      | refs/heads/main | first |
    And a git host "good" has:
      | refs/heads/main | first |
    And from now on the git host "bad" <behaves>
    And the owner announced the repository, which is at the git hosts "bad" and "good"
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the state is served within an hour
    And the repository has exactly:
      | refs/heads/main | first |

    Examples:
      | id        | behaves   |
      | refuses   | refuses   |
      | hangs     | hangs     |
      | denies    | denies    |
      | floods    | floods    |
      | truncates | truncates |
      | corrupts  | corrupts  |
      | cheats    | cheats    |
      | lies      | lies      |

  @G02-GIT-09.redirects @hostile @wait:61m @needs:reachback
  Scenario: a host that sends everybody elsewhere keeps nobody from one that serves
    Given a git host "bad" has:
      | refs/heads/main | unrelated |
    And a git host "good" has:
      | refs/heads/main | first |
    And from now on the git host "bad" redirects to the git host "bad"
    And the owner announced the repository, which is at the git hosts "bad" and "good"
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the state is served within an hour

  @G02-GIT-08 @wait:10m @needs:reachback
  Scenario: how much one host is asked is recorded
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 2 seconds to answer
    And the time is taken
    When 40 repositories wait for data of the git host
    And 8 minutes pass
    Then it is recorded how much the git host was asked at once and in a minute
