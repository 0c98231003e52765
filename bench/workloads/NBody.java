/* SPDX-License-Identifier: MIT */

/* Motion of the outer planets: double fields of objects in arrays. */
public class NBody {
    static final double SOLAR_MASS = 4 * Math.PI * Math.PI;
    static final double DAYS = 365.24;

    static final class Body {
        double x, y, z, vx, vy, vz;
        final double mass;

        Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
            this.x = x;
            this.y = y;
            this.z = z;
            this.vx = vx * DAYS;
            this.vy = vy * DAYS;
            this.vz = vz * DAYS;
            this.mass = mass * SOLAR_MASS;
        }
    }

    final Body[] bodies = {
        new Body(0, 0, 0, 0, 0, 0, 1),
        new Body(4.841431442, -1.160320044, -0.103622044,
                 0.001660076, 0.007699011, -0.000069046, 0.000954791),
        new Body(8.343366718, 4.124798564, -0.403523417,
                 -0.002767425, 0.004998528, 0.000023041, 0.000285885),
        new Body(12.894369562, -15.111151401, -0.223307579,
                 0.002964601, 0.002378471, -0.000029658, 0.000043662),
        new Body(15.379697114, -25.919314609, 0.179258772,
                 0.002680677, 0.001628241, -0.000095159, 0.000051513),
    };

    void offsetMomentum() {
        double px = 0, py = 0, pz = 0;
        for (Body b : bodies) {
            px += b.vx * b.mass;
            py += b.vy * b.mass;
            pz += b.vz * b.mass;
        }
        bodies[0].vx = -px / SOLAR_MASS;
        bodies[0].vy = -py / SOLAR_MASS;
        bodies[0].vz = -pz / SOLAR_MASS;
    }

    void advance(double dt) {
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x;
                double dy = a.y - b.y;
                double dz = a.z - b.z;
                double d2 = dx * dx + dy * dy + dz * dz;
                double mag = dt / (d2 * Math.sqrt(d2));
                a.vx -= dx * b.mass * mag;
                a.vy -= dy * b.mass * mag;
                a.vz -= dz * b.mass * mag;
                b.vx += dx * a.mass * mag;
                b.vy += dy * a.mass * mag;
                b.vz += dz * a.mass * mag;
            }
        }
        for (Body b : bodies) {
            b.x += dt * b.vx;
            b.y += dt * b.vy;
            b.z += dt * b.vz;
        }
    }

    double energy() {
        double e = 0;
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            e += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                e -= a.mass * b.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return e;
    }

    public static void main(String[] args) {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 600_000;
        NBody system = new NBody();
        system.offsetMomentum();
        System.out.println(system.energy());
        for (int i = 0; i < steps; i++) {
            system.advance(0.01);
        }
        System.out.println(system.energy());
    }
}
