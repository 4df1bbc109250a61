import {
  bodyObject,
  described,
  filledLineUpTo,
  flag,
  formedText,
  instant,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
} from '../../contract/fields.ts'
import { paged, textFilter } from '../../contract/parameters.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { viewsMax } from './saved-views.ts'

const pagePattern = '^[a-z][a-z-]{0,39}$'
const nameMax = 100
const pageForm = 'up to 40 small letters and dashes, the first a letter'

const SavedViewRecord = record('SavedView', {
  viewId: uuid,
  page: described(text, 'the page of the console'),
  name: text,
  query: described(text, 'the query of its URL, as it was saved'),
  shared: described(flag, 'true = colleagues see it too'),
  own: described(flag, 'whether it is yours'),
  author: described(text, 'username'),
  createdOn: instant,
  updatedOn: instant,
})

const body = {
  schema: bodyObject({
    page: described(formedText(pagePattern, pageForm), 'the page of the console'),
    name: filledLineUpTo(nameMax),
    query: described(textUpTo(2_000), 'the query of its URL'),
    shared: described(flag, 'true = colleagues see it too'),
  }),
  check: ({ name }: JsonObject) => (typeof name === 'string' ? nameFault('name', name, nameMax) : undefined),
}

export const views = staffSubject({
  name: 'Saved views',
  says: 'Lists with their filters, each kept under a name. A person sees their own and those that colleagues share.',
  problems: {
    view_not_found: [404, 'No such saved view.'],
    not_the_author: [403, 'Only its author or an ADMIN changes a saved view.'],
    view_name_taken: [409, 'The page has a view of this name already. Names differ by more than letter case.'],
    too_many_views: [409, `A person has at most ${viewsMax} saved views. Remove one.`],
  },
  operations: {
    listViews: staffOperation({
      id: 'listViews',
      at: 'GET /staff/v1/views',
      permission: null,
      query: {
        page: textFilter(
          { lengthMax: 40, pattern: new RegExp(pagePattern), form: pageForm, malformed: 'invalid_request' },
          'only views of this page',
        ),
        ...paged({ default: 100, max: 200 }),
      },
      collection: 'views',
      answers: { 200: pageOf('SavedViewPage', 'views', SavedViewRecord) },
      refuses: [],
      says: 'Lists your saved views and those that are shared, by name.',
    }),
    readView: staffOperation({
      id: 'readView',
      at: 'GET /staff/v1/views/{viewId}',
      permission: null,
      answers: { 200: SavedViewRecord },
      refuses: ['view_not_found'],
      says: 'Shows a saved view.',
    }),
    saveView: staffOperation({
      id: 'saveView',
      at: 'POST /staff/v1/views',
      permission: null,
      body,
      answers: { 201: SavedViewRecord },
      refuses: ['too_many_views', 'view_name_taken'],
      says: 'Saves a list with its filters under a name.',
    }),
    changeView: staffOperation({
      id: 'changeView',
      at: 'PUT /staff/v1/views/{viewId}',
      revises: 'readView',
      permission: null,
      body,
      answers: { 200: SavedViewRecord },
      refuses: ['view_not_found', 'not_the_author', 'view_name_taken'],
      says: 'Changes a saved view of yours. An ADMIN changes shared ones of others too; one that an ADMIN stops to share is only its author’s again.',
    }),
    removeView: staffOperation({
      id: 'removeView',
      at: 'POST /staff/v1/views/{viewId}/remove',
      permission: null,
      answers: { 200: record('RemovedView', { viewId: uuid }) },
      refuses: ['view_not_found', 'not_the_author'],
      says: 'Removes a saved view of yours; an ADMIN removes shared ones of others too.',
    }),
  },
})
