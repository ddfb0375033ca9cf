Feature: Messages in frames
  A client may send a message in as many frames as it likes, and ping in between: browsers, libraries and proxies do.

  @N01-WS-01.pieces @live-only @because:needs-bare-connections
  Scenario Outline: an event is taken that comes <how>
    Then an event of the contributor is taken that comes <how>

    Examples:
      | id     | how                                 |
      | three  | in three frames                     |
      | letter | in frames that cut a letter         |
      | bytes  | in a frame for each byte            |
      | behind | behind an empty frame               |
      | before | before an empty frame               |
      | ping   | with a ping between its frames      |
      | pong   | with a pong between its frames      |
      | alone  | behind a pong that nobody asked for |

  @N01-WS-01.offered @live-only @because:needs-bare-connections
  Scenario: who offers to compress messages is answered
    Then a client that offers to compress messages is answered

  @N01-WS-01.ping @live-only @because:needs-bare-connections
  Scenario: a ping is answered
    Then a ping is answered by what it holds

  @N01-WS-01.close @score:should @live-only @because:needs-bare-connections
  Scenario: a close is answered
    Then who closes a connection is answered by a close
