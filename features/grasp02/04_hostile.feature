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
