/** The test for workerd. */

import { check } from 'answer.mjs'
import * as blockmark from 'blockmark'
import data from 'conformance.json'

export default {
  test() {
    console.log(check(blockmark, data.cases).join('\n'))
  },
}
