import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** useWidth returns the rendered width of a box; 0 until it is known. */
export function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    setWidth(box.clientWidth)
    const observer = new ResizeObserver(() => setWidth(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
