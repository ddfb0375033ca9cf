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
