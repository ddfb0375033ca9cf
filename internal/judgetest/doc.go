// Package judgetest is where judge and judged meet: the suite is run on the reference as it is, on the reference with
// planted defects, on mutants of it, and on servers that do nothing right. It contains tests only.
package judgetest
