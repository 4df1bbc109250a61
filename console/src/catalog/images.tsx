import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type DragEvent } from 'react'
import { call, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Empty } from '../kit/empty.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { verb, Verbs } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import dropClasses from '../kit/drop.module.css'
import classes from './catalog.module.css'

type Image = AnswerOf<'listImages'>['images'][number]

/** The pictures of a product in the order in which they are shown. */
export function Images({ productId, name }: { productId: string; name: string }) {
  const environment = useEnvironment()
  const may = useMay()
  const query = useQuery(read(environment, 'listImages', { path: { productId } }, { live: ['product'] }))
  return (
    <Section title="Images">
      <Stack gap="md">
        <Loaded query={query}>
          {({ images }) =>
            images.length === 0 ? (
              <Empty title="There is no image">Add one: partners show it beside the name.</Empty>
            ) : (
              <ol className={classes.images}>
                {images.map((image, at) => (
                  <ImageItem key={image.imageId} productId={productId} name={name} images={images} at={at} />
                ))}
              </ol>
            )
          }
        </Loaded>
        {may('addImage') && <AddImages productId={productId} />}
      </Stack>
    </Section>
  )
}

function ImageItem({
  productId,
  name,
  images,
  at,
}: {
  productId: string
  name: string
  images: readonly Image[]
  at: number
}) {
  const image = images[at]!
  const { imageId, url, imageAlt, primary, imageWidth, imageHeight } = image
  const path = { productId, imageId }
  const may = useMay()
  const place = usePlacing(productId)
  const moveTo = (to: number) => place.mutate(images.toSpliced(at, 1).toSpliced(to, 0, image))
  const what = `image ${at + 1}`
  return (
    <li className={classes.image}>
      {url === null ? (
        <Text size="sm">The file is not there.</Text>
      ) : (
        <img src={url} alt={imageAlt ?? `${name}, ${what}`} />
      )}
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          {primary ? <Status value="ready" label="Primary" /> : <span />}
          <Text size="xs" c="dimmed">
            {imageWidth !== null && `${imageWidth} × ${imageHeight} px`}
          </Text>
        </Group>
        {may('changeImage') ? (
          <AltText key={imageAlt} image={image} productId={productId} what={what} />
        ) : (
          <Text size="sm">{imageAlt ?? 'No alt text'}</Text>
        )}
        <Group gap="xs">
          {may('changeImage') && (
            <>
              <Button
                variant="default"
                disabled={at === 0 || place.isPending}
                onClick={() => moveTo(at - 1)}
                aria-label={`Move ${what} earlier`}
              >
                Earlier
              </Button>
              <Button
                variant="default"
                disabled={at === images.length - 1 || place.isPending}
                onClick={() => moveTo(at + 1)}
                aria-label={`Move ${what} later`}
              >
                Later
              </Button>
            </>
          )}
          <Verbs
            first={0}
            label={`More of ${what}`}
            verbs={[
              verb('changeImage', 'Make it the primary', { path, body: { primary: true } }, { hidden: primary }),
              verb('removeImage', `Remove ${what}`, { path }, { danger: true }),
            ]}
          />
        </Group>
        <Refused error={place.error} />
      </Stack>
    </li>
  )
}

function AltText({ image, productId, what }: { image: Image; productId: string; what: string }) {
  const { imageId, imageAlt } = image
  const form = useForm('changeImage', {
    initial: { imageAlt: imageAlt ?? '' },
    input: (values) => ({ path: { productId, imageId }, body: { imageAlt: values.imageAlt.trim() || null } }),
  })
  return (
    <Form form={form} submit="Save text">
      <TextField form={form} name="imageAlt" label={`Text for who cannot see ${what}`} />
    </Form>
  )
}

/** Gives images their places 1, 2, 3 … in this order. */
function usePlacing(productId: string) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (ordered: readonly Image[]) => {
      for (const [at, { imageId, sequence }] of ordered.entries()) {
        if (sequence !== at + 1)
          await call('changeImage', environment, { path: { productId, imageId }, body: { sequence: at + 1 } })
      }
    },
    onSettled: () => queries.invalidateQueries(),
  })
}

function AddImages({ productId }: { productId: string }) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [isOver, setIsOver] = useState(false)
  const add = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        await call('addImage', environment, { path: { productId }, body: file }, { contentType: file.type })
      }
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    add.mutate([...event.dataTransfer.files])
  }
  return (
    <div
      className={dropClasses.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileButton
        multiple
        accept="image/png,image/jpeg,image/webp"
        onChange={(files) => add.mutate(files)}
        inputProps={{ 'aria-label': 'Images to add' }}
      >
        {(props) => (
          <Button {...props} variant="default" loading={add.isPending}>
            Add images…
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        or drop them here: PNG, JPEG or WebP, up to 10 MB each.
      </Text>
      <Refused error={add.error} />
    </div>
  )
}
