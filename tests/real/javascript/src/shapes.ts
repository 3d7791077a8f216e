import { points } from "./points.ts";

export class GeometryError extends Error {
    readonly shape: string;
    constructor(shape: string, why: string) {
        super(`${shape}: ${why}`);
        this.name = "GeometryError";
        this.shape = shape;
    }
}

const finite = (value: number, what: string): number => {
    if (!Number.isFinite(value) || value < 0) {
        throw new GeometryError(what, `${value} is no length`);
    }
    return value;
};

export abstract class Shape {
    static made = 0;
    readonly label: string;
    #weight = 1;

    constructor(label: string) {
        this.label = label;
        Shape.made += 1;
        this.check();
    }

    abstract area(): number;
    abstract check(): void;

    static compare(left: Shape, right: Shape): number {
        return left.density() - right.density();
    }

    static heaviest(...shapes: Shape[]): Shape {
        const sorted = [...shapes].sort((a, b) => Shape.compare(a, b));
        return sorted[sorted.length - 1];
    }

    get weight(): number {
        return this.#validated(this.#weight);
    }

    set weight(value: number) {
        this.#weight = this.#validated(value);
    }

    #validated(value: number): number {
        if (value <= 0) {
            throw new GeometryError(this.label, "weighs nothing");
        }
        return value;
    }

    density(): number {
        return this.weight / this.area();
    }

    describe(): string {
        const parts = [this.label, `${this.area()}`, `${this.density()}`];
        return parts.join(", ");
    }

    toJSON(): object {
        return { label: this.label, area: this.area() };
    }
}

export class Circle extends Shape {
    readonly radius: number;
    constructor(radius: number) {
        super("circle");
        this.radius = finite(radius, "circle");
    }
    area(): number {
        if (this.radius > 1000) {
            throw new RangeError(`a circle of ${this.radius} does not fit`);
        }
        return Math.PI * this.radius ** 2;
    }
    check(): void {
        if (Shape.made > 10000) {
            throw new GeometryError("circle", "too many");
        }
    }
}

export class Rectangle extends Shape {
    readonly width: number;
    readonly height: number;
    constructor(width: number, height: number, label = "rectangle") {
        super(label);
        this.width = finite(width, "width");
        this.height = finite(height, "height");
    }
    area(): number {
        return this.width * this.height;
    }
    check(): void {}
    get diagonal(): number {
        return this.measure((w, h) => {
            const square = w * w + h * h;
            if (square > 1e12) {
                throw new RangeError("the diagonal is too long");
            }
            return Math.sqrt(square);
        });
    }
    measure(how: (width: number, height: number) => number): number {
        const answer = how(this.width, this.height);
        return finite(answer, this.label);
    }
}

export class Square extends Rectangle {
    static readonly unit = new Square(1);
    corners = this.countCorners(4);
    constructor(side: number) {
        super(side, side, "square");
        if (side === 13) {
            throw new GeometryError("square", "thirteen brings bad luck");
        }
    }
    private countCorners(count: number): number {
        if (this.width === 7) {
            throw new TypeError("seven has no corners");
        }
        return count;
    }
    override describe(): string {
        const text = super.describe();
        if (text.length > 10 && this.width === 5) {
            throw new GeometryError("square", `text of ${text.length} is too long`);
        }
        return text;
    }
    static of(side: number): Square {
        const made = new this(side);
        return made;
    }
    static get largest(): Square {
        return Square.of(-1);
    }
    *[Symbol.iterator](): Generator<number> {
        for (let corner = 0; corner < 4; corner++) {
            if (corner === 2) {
                throw new RangeError(`corner ${corner} is missing`);
            }
            yield corner;
        }
    }
    [Symbol.toPrimitive](hint: string): string | number {
        if (hint === "number") {
            throw new TypeError("a square is no number");
        }
        return this.label;
    }
}

const mixin = <T extends new (...rest: any[]) => Shape>(base: T) =>
    class Painted extends base {
        colour = "red";
        paint(colour: string): this {
            if (!/^[a-z]+$/.test(colour)) {
                throw new GeometryError(this.label, `${colour} is no colour`);
            }
            this.colour = colour;
            return this;
        }
    };

const PaintedCircle = mixin(Circle);

points("shapes", {
    negativeRadius: () => new Circle(-2),
    hugeCircle: () => new Circle(2000).describe(),
    compareStatic: () => Shape.heaviest(new Circle(1), new Circle(5000), new Rectangle(1, 2)),
    setterThrows: () => {
        const shape = new Rectangle(2, 3);
        shape.weight = -1;
    },
    subclassConstructor: () => Square.of(13),
    baseConstructor: () => Square.largest,
    fieldInitialiser: () => new Square(7),
    superMethod: () => new Square(5).describe(),
    getterWithArrow: () => new Rectangle(1e7, 1).diagonal,
    measureCallback: () =>
        new Rectangle(1, 1).measure(function twice(w, h) {
            return finite(-w * h * 2, "twice");
        }),
    iterate: () => [...new Square(3)],
    forOf: () => {
        let sum = 0;
        for (const corner of new Square(3)) {
            sum += corner;
        }
        return sum;
    },
    primitive: () => +(new Square(2) as unknown as number),
    stringify: () => JSON.stringify({ shapes: [new Circle(1), new Circle(1e9)] }),
    mixin: () => new PaintedCircle(4).paint("blue").paint("RED"),
    notThere: () => {
        const shapes: Record<string, Shape> = { circle: new Circle(1) };
        return shapes["square"].describe();
    },
});
