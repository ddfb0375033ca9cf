Feature: Where the hunt asks
  URLs in events are texts of strangers.

  @REF-HUNT-21 @wait:4m @needs:reachback
  Scenario: what only looks like the own service is asked
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at:
      | http://{at}/{host}/{npub}/{identifier}.git |
      | http://{at}/{npub}/{identifier}.git        |
      | http://{host}@{at}/user.git                |
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 181 seconds the git host has been asked 3 times
    And the git host was asked exactly at:
      | /{host}/{npub}/{identifier}.git |
      | /{npub}/{identifier}.git        |
      | /user.git                       |

  @REF-HUNT-22 @hostile @wait:4m @needs:reachback
  Scenario Outline: <object> is no object that anybody is asked for
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And the time is taken
    When the owner sent the state:
      | refs/heads/main  | first    |
      | refs/heads/other | <object> |
    And the owner sent the state:
      | refs/heads/main | first |
    Then after 181 seconds the git host has been asked 1 time
    And the git host was asked for full object ids only

    Examples:
      | id       | object       |
      | nohex    | (no hex)     |
      | short    | (short)      |
      | upper    | (upper case) |
      | symbolic | (symbolic)   |

  @REF-HUNT-23.schemes @hostile @wait:4m @needs:reachback
  Scenario: only http and https URLs are asked
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at:
      | ftp://{at}/ftp.git                   |
      | git://{at}/git.git                   |
      | ssh://{at}/ssh.git                   |
      | file://{at}/file.git                 |
      | ext::http://{at}/ext.git             |
      | git+http://{at}/plus.git             |
      | http:{at}/opaque.git                 |
      | {at}/bare.git                        |
      | http://{at}/plain.git                |
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 181 seconds the git host has been asked 1 time
    And the git host was asked exactly at:
      | /plain.git |

  @REF-HUNT-23 @wait:4m @needs:reachback
  Scenario: a user in a URL is not introduced, and makes no other URL
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at:
      | http://somebody:secret@{at}/plain.git |
      | http://{at}/plain.git                 |
      | HTTP://{AT}/plain.git                 |
      | http://{at}/plain.git#part            |
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 181 seconds the git host has been asked 1 time
    And no request at the git host had credentials

  @REF-HUNT-23.redirects @hostile @wait:5m @needs:reachback
  Scenario: no redirect leads to another host
    Given a git host "one" has:
      | refs/heads/main | unrelated |
    And a git host "two" has:
      | refs/heads/main | first |
    And from now on the git host "one" redirects to the git host "two"
    And the owner announced the repository, which is at the git host "one"
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 250 seconds the git host "one" has been asked 3 times
    And the git host "two" has been asked 0 times
    And the state is not served
