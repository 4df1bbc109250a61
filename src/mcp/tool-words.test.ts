import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemCodes, problemMeaning } from '../contract/problems.ts'
import { api } from '../resources/api.ts'
import { toolWords } from './tool-words.ts'

const inWords = toolWords(Object.values(api))
const tool = { entry: api.getOrder, argumentNames: ['orderNumber', 'limit'] }

test('what a refusal says of a request is said of the call of a tool', () => {
  for (const [said, expected] of [
    [
      'The query parameter "a" is not accepted here. Accepted: none.',
      'The argument "a" is not accepted here. Accepted: orderNumber, limit.',
    ],
    [
      'The query parameter "body" is not accepted here. Accepted: none.',
      'The argument "body" is not accepted here. Accepted: orderNumber, limit.',
    ],
    ['The field "a field \\" body" is wrong in the body.', 'The argument "a field \\" body" is wrong in the input.'],
    ['The path parameter orderNumber must be a number.', 'The argument orderNumber must be a number.'],
    ['The fields a and b exclude each other.', 'The arguments a and b exclude each other.'],
    ['The body must have at least 1 field.', 'The input must have at least 1 argument besides orderNumber.'],
    [
      'The field "shipTo.a" is not accepted here. Accepted: name, city.',
      'The argument "shipTo.a" is not accepted here. Accepted: name, city.',
    ],
    [
      'The query parameter status must be one or more of A, B, separated by commas.',
      'The argument status must be a list of one or more of A, B.',
    ],
    ['A field is missing: send a parameter.', 'An argument is missing: send an argument.'],
    ['Read GET /v1/orders/1010001 again.', 'Read get_order again.'],
    ['Ask GET /v1/users, not GET /v1/nothing.', 'Ask list_users, not GET /v1/nothing.'],
    ['No such order.', 'No such order.'],
  ]) {
    assert.equal(inWords(said!, tool), expected)
  }
})

test('no published meaning of a code speaks of parameters, fields or bodies to an agent', () => {
  for (const code of problemCodes) {
    assert.doesNotMatch(inWords(problemMeaning(code), tool), /\b(parameters?|fields?|body)\b/i, code)
  }
})
